// Signs of comparisons, told from the other side and for where they do not hold. It compares nothing.

/** `5 > i` says `i < 5`. */
export const MIRRORED: Record<string, string> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};

/** What holds where it does not. */
export const CONTRARY: Record<string, string> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};
