// A change of one place in a random program: some statements of one of its bodies. It knows no program's statements.

/** `at` says which: from one to another of a body, or of one that stands in it. */
export function partly<S extends object>(body: S[], at: number, change: (part: S[]) => S[]): S[] {
  const inner = body.findIndex((stmt) => bodyOf(stmt).length > 0);
  if (inner >= 0 && at % 3 > 0)
    return body.map((stmt, i) =>
      i === inner ? { ...stmt, body: partly(bodyOf(stmt), at >> 2, change) } : stmt,
    );
  const start = (at >> 2) % body.length;
  const end = start + 1 + ((at >> 5) % (body.length - start));
  return [...body.slice(0, start), ...change(body.slice(start, end)), ...body.slice(end)];
}

const bodyOf = <S extends object>(stmt: S): S[] => ('body' in stmt ? (stmt.body as S[]) : []);
