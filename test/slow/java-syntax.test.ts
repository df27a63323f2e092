// Java of Debian's source packages: our trees and units are those of tree-sitter-java's nodes, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { parse } from '../../src/frontends/java/syntax/parse.ts';
import { lowerFile } from '../../src/frontends/jvm/lower.ts';
import { JAVA, javaFiles } from '../corpus.ts';
import { difference, theirs } from '../java-oracle.ts';

/** Where the oracle departs from Java, by the text at the difference, and where we may. */
const FAULTS: [string, RegExp][] = [
  ['`(a.b) + c` is a cast', /^«\([\w.]+\) [-+]/],
  ['`-a++` is incremented last', /^«[-+!~]\w+(?:\+\+|--)/],
  ['`else ;` is no arm', /^«if \(/],
  ['`Outer.super.field`', /^«[\w.]+\.super\./],
  ['the annotation in `new @A T[n]` is an argument', /^«new @\w+ /],
  ['`A<B>.C` as a type keeps what is between', /theirs "[\w.]+<[^"]*>\.\w+"$/],
  // Ours, and no harm: an expression like any other.
  ['`outer.super();` ends before its semicolon', /^«\w+\.super\(\);/],
];

test.each(JAVA)(
  '%s',
  (name) => {
    const count = { same: 0, rejected: 0, broken: 0, faults: new Map<string, number>() };
    const wrong: string[] = [];
    for (const { name: file, text } of javaFiles(name)) {
      const found = difference(text);
      if (found === null) {
        count.rejected++;
        if (parse(text, '').broken) count.broken++;
      } else if (found === '') {
        count.same++;
        const units = [parse(text, '').file, theirs(text)!].map((one) => lowerFile(file, text, 'java', one));
        if (JSON.stringify(units[0]) !== JSON.stringify(units[1])) wrong.push(`${file} is another unit`);
      } else {
        const fault = FAULTS.find(([, at]) => at.test(found));
        if (fault) count.faults.set(fault[0], (count.faults.get(fault[0]) ?? 0) + 1);
        else wrong.push(`${file} ${found}`);
      }
    }
    console.log(
      `${name}: ${count.same} files have the same tree; of ${count.rejected} that the oracle does not read we reject ${count.broken}`,
      Object.fromEntries(count.faults),
    );
    expect(wrong).toEqual([]);
    expect(count.same).toBeGreaterThan(100);
  },
  600_000,
);
