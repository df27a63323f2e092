// An error that the user can mend: one line on stderr and exit code 2, without a stack.
export class Mistake extends Error {}
