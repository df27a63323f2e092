// Java of Debian's source packages: our trees and units are those of tree-sitter-java's nodes, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { parse } from '../../src/frontends/java/syntax/parse.ts';
import { lowerFile } from '../../src/frontends/jvm/lower.ts';
import { JAVA, javaFiles } from '../corpus.ts';
import { difference, theirs } from '../java-oracle.ts';
import { compareFiles } from '../parser-oracle.ts';

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
    const { same, wrong } = compareFiles(javaFiles(name), difference, FAULTS, (file, isSame) => {
      if (!isSame) return '';
      const [ours, right] = [parse(file.text, '').file, theirs(file.text)!].map((one) =>
        JSON.stringify(lowerFile(file.name, file.text, 'java', one)),
      );
      return ours === right ? '' : 'is another unit';
    });
    expect(wrong).toEqual([]);
    expect(same).toBeGreaterThan(100);
  },
  600_000,
);
