// The name of the file that a template or a sample is made into; it reads neither.

/** What a template or a sample has behind the name of the file that is made of it. */
export const withoutTemplate = (base: string) =>
  base.replace(
    /(?<=\w)\.(?:j2|jinja2?|erb|tmpl|tpl|template|gotmpl|mustache|hbs|ftl|dist|sample|example|in)$/i,
    '',
  );
