// What is known to be said too much or too little of the ways to write things down. Not those ways themselves.

/** What is said too much or too little, and why; whoever cures one takes it away here. */
export const KNOWN = new Map<string, string>([
  ['an escaped name', 'names with escapes are not read'],
  ['a function as a column', 'a function may be written as a column, and mostly a column is one'],
  ['a function as a column of a row', 'a function may be written as a column, and mostly a column is one'],
  ["an operator of one's own", 'operators are not followed to their functions'],
  ["a cast of one's own", 'casts are followed by their types alone'],
  ['a view that checks by a view', 'what CHECK OPTION asks of each row is not read'],
  ['rows that move out', 'an UPDATE that moves a row fires what INSERT and DELETE fire'],
  ['MERGE of what has no source', 'how many rows have no source is not known'],
  ['an array of a domain', 'what arrays and rows of domains check'],
  ['an array that becomes one of a domain', 'what arrays and rows of domains check'],
  ['an array of a domain in a column', 'what arrays and rows of domains check'],
  ['an array of a domain of a query', 'what arrays and rows of domains check'],
  ['a row of a domain', 'what arrays and rows of domains check'],
  ['a row of a domain in a column', 'what arrays and rows of domains check'],
  ['a field of a domain', 'what arrays and rows of domains check'],
  ['a domain of NULL', 'a cast of NULL is taken for none'],
  ['a column of a domain', 'a column of a domain is checked in each row'],
  ['a column of a domain without a value', 'a column of a domain is checked in each row'],
  ['a domain that is checked anew', 'a domain that is checked anew looks at the tables that have it'],
  ['a text that grows', 'a text of which a parameter is a part is not put together'],
  ['a table by its name', 'a text of which a parameter is a part is not put together'],
  ['a division by zero', 'values are not computed'],
  ['a cast that fails', 'values are not computed'],
]); // biome-ignore format: one a line
