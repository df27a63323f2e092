// By what name the only bean of a type is known, wherever a program asks for it; it knows neither code nor XML.

/** Where a program has one bean of a type, it has any name; programs stand side by side in a repository. */
export const onlyOne = (path: string): string => `of ${/^(?:.*?\/)?(?=src\/)/.exec(path)?.[0] ?? ''}*`;
