// Whether a file that is read without its language's own habits is a test: by its folder, or because pgTAP runs it.

const FOLDER =
  /(^|\/)(tests?|[\w.-]+[-_]tests|(?:sql|db|pg|smoke|e2e)[-_]?tests?|\w*(?:unit|integration|functional|regression|acceptance|contract|component)[-_]?test(?:s|ing)?(?:[-_][\w.-]+)?|test[-_]?data|specs?|testing|__tests__|__fixtures__|fixtures)\//;

export const isTestFile = (file: string, text: string): boolean =>
  FOLDER.test(file.toLowerCase()) || isPgTap(text);

/** A script of pgTAP's begins with its plan and ends with finish(); the library itself defines both. */
const isPgTap = (text: string) =>
  /\bselect\s+(?:\*\s+from\s+)?(?:\w+\.)?finish\s*\(/i.test(text) &&
  /\bselect\s+(?:\*\s+from\s+)?(?:\w+\.)?(?:no_)?plan\s*\(/i.test(text) &&
  !/\bfunction\s+(?:\w+\.)?finish\s*\(/i.test(text);
