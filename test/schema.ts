// Checks a value against a JSON schema, as far as our own schemas go; an unknown word in one is an error.
interface Schema {
  [word: string]: unknown;
}

const SAYS = new Set(['$schema', 'title', 'description', 'default', 'definitions']);

/** Complaints with the place of each; none: it is as the schema says. */
export function against(schema: Schema, value: unknown, root: Schema = schema, at = '$'): string[] {
  const table = typeof value === 'object' && value !== null && !Array.isArray(value);
  const own = table ? (value as Record<string, unknown>) : {};
  const inner = (one: unknown, of: unknown, place: string) => against(one as Schema, of, root, place);
  return Object.entries(schema).flatMap(([word, says]): string[] => {
    const fails = (wrong: boolean) => (wrong ? [`${at}: ${word} ${JSON.stringify(says)}`] : []);
    switch (word) {
      case '$ref':
        return inner((root.definitions as Schema)[String(says).replace('#/definitions/', '')], value, at);
      case 'allOf':
        return (says as Schema[]).flatMap((one) => inner(one, value, at));
      case 'anyOf':
        return fails((says as Schema[]).every((one) => inner(one, value, at).length > 0));
      case 'type':
        return fails(
          says !==
            (Array.isArray(value)
              ? 'array'
              : Number.isInteger(value) && says === 'integer'
                ? says
                : typeof value) || value === null,
        );
      case 'const':
        return fails(value !== says);
      case 'enum':
        return fails(!(says as unknown[]).includes(value));
      case 'minimum':
        return fails(typeof value === 'number' && value < (says as number));
      case 'maximum':
        return fails(typeof value === 'number' && value > (says as number));
      case 'minLength':
        return fails(typeof value === 'string' && value.length < (says as number));
      case 'pattern':
        return fails(typeof value === 'string' && !new RegExp(says as string).test(value));
      case 'required':
        return fails(table && (says as string[]).some((key) => own[key] === undefined));
      case 'properties':
        return Object.entries(says as Schema).flatMap(([key, one]) =>
          own[key] === undefined ? [] : inner(one, own[key], `${at}.${key}`),
        );
      case 'additionalProperties': {
        const known = Object.keys((schema.properties ?? {}) as Schema);
        const others = Object.keys(own).filter((key) => !known.includes(key));
        if (says === false) return others.map((key) => `${at}.${key}: it is not in the schema`);
        return others.flatMap((key) => inner(says, own[key], `${at}.${key}`));
      }
      case 'items':
        return Array.isArray(value) ? value.flatMap((one, i) => inner(says, one, `${at}[${i}]`)) : [];
      default:
        return SAYS.has(word) ? [] : [`${at}: this check does not know ${word}`];
    }
  });
}
