// What a database of a program's own list is called in settings, for who lists it and who connects to it. It reads neither.

/** So that nothing else that settings name is called alike. */
export const listedAs = (name: string) => `rails:${name}`;
