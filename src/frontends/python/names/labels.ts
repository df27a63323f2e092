// Models by the labels that frameworks give them: `shop.Order` is the Order of the app `shop`. It resolves no names.

/** The path of the model, which usually stands in the module `models` of its app. Labels are often in lower case, classes are not. */
export function labelled(first: string | undefined, second?: string): string | undefined {
  const [app, name] = second === undefined ? (first ?? '').split('.') : [first, second];
  return app && name ? `${app}.models.${name[0]!.toUpperCase()}${name.slice(1)}` : undefined;
}

/** What such a label in lower case comes to, where the class of that name has more capitals than one. */
export const inLowerCase = (app: string, name: string): string | undefined =>
  /^.+[A-Z]/.test(name) ? labelled(app, name.toLowerCase()) : undefined;
