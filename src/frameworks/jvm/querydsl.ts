// QueryDSL: pieces of SQL or JPQL that a query has. What it sends, and what it changes, is told nowhere yet.
import { framework } from '../../framework.ts';

const EXPRESSIONS = 'com.querydsl.core.types.dsl.Expressions';
/** Those of text alone, and those that are told the class of what they give first. */
const PLAIN = ['stringTemplate', 'booleanTemplate'];
const TYPED = [
  'template', 'numberTemplate', 'dateTemplate', 'dateTimeTemplate', 'timeTemplate', 'simpleTemplate', 'comparableTemplate', 'enumTemplate', 'dslTemplate',
]; // biome-ignore format: one list

export default framework({
  name: 'querydsl',
  language: 'jvm',
  packages: ['maven:com.querydsl:querydsl-core', 'maven:io.github.openfeign.querydsl:querydsl-core'],
  needles: ['com.querydsl'],
  apis: Object.fromEntries([
    ...PLAIN.map((name) => [`${EXPRESSIONS}.${name}`, { piece: 0 }]),
    ...TYPED.map((name) => [`${EXPRESSIONS}.${name}`, { piece: 1 }]),
  ]),
  computes: { values: 'select where orderBy groupBy having', one: 'fetchOne fetchFirst' },
});
