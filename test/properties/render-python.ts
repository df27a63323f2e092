// The body of a random routine in PL/Python: what it sends is SQL that somebody else renders.
import type { Stmt } from './program.ts';

export interface PythonOf {
  /** A statement that is SQL alone; null where it is none. */
  sql(stmt: Stmt, handled: boolean): string | null;
  /** So many turns at most, for what one turn costs. */
  turns(times: number, body: () => string): { n: number; body: string };
  /** What fails in SQL. */
  failing(how: 'raise' | 'divide' | 'duplicate'): string;
}

const CLASSES: Record<string, string> = {
  OTHERS: 'plpy.SPIError',
  division_by_zero: 'plpy.spiexceptions.DivisionByZero',
  raise_exception: 'plpy.spiexceptions.RaiseException',
  unique_violation: 'plpy.spiexceptions.UniqueViolation',
};

export function pythonBody(body: Stmt[], of: PythonOf): string {
  let names = 0;
  const send = (sql: string, indent: string): string => {
    const text = `"""${sql.replace(/;$/, '')}"""`;
    // In turn by itself, by a name of its own, and as a plan.
    names++;
    if (names % 3 === 0) return `${indent}run(${text})`;
    if (names % 3 === 1) return `${indent}plpy.execute(${text})`;
    return `${indent}plan${names} = plpy.prepare(${text})\n${indent}plan${names}.execute()`;
  };
  const list = (all: Stmt[], indent: string, handled: boolean): string =>
    all.length === 0 ? `${indent}pass` : all.map((stmt) => one(stmt, indent, handled)).join('\n');
  const one = (stmt: Stmt, indent: string, handled: boolean): string => {
    const deeper = `${indent}    `;
    switch (stmt.k) {
      case 'block': {
        const catches = CLASSES[stmt.catches]!;
        const handler = stmt.handler === 'rethrow' ? `${deeper}raise` : list(stmt.handler, deeper, handled);
        const inner = list(stmt.body, `${deeper}    `, true);
        return `${indent}try:\n${deeper}with plpy.subtransaction():\n${inner}\n${indent}except ${catches}:\n${handler}`;
      }
      case 'labelled':
        return `${indent}with plpy.subtransaction():\n${list(stmt.body, deeper, handled)}`;
      case 'if':
        return list(stmt.then, indent, handled);
      case 'loop': {
        const name = `i${names++}`;
        const { n, body: turn } = of.turns(stmt.times, () => list(stmt.body, deeper, handled));
        return `${indent}for ${name} in range(${n}):\n${turn}`;
      }
      case 'fail':
        return send(handled ? of.failing(stmt.how) : "INSERT INTO log (what) VALUES ('x')", indent);
      default:
        return send(of.sql(stmt, handled) ?? "INSERT INTO log (what) VALUES ('x')", indent);
    }
  };
  return `run = plpy.execute\n${list(body, '', false)}\nreturn 1`;
}
