// What random programs run on: the process that plays them, and how they are written.
import type { Application } from '../../properties/application.ts';
import { activerecord } from './activerecord.ts';
import { django } from './django.ts';
import { java } from './java.ts';
import { jdbc } from './jdbc.ts';
import { jooq } from './jooq.ts';
import { psycopg } from './psycopg.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { sequel } from './sequel.ts';
import type { Rendered } from './spelling.ts';
import { spring } from './spring.ts';
import { core, session } from './sqlalchemy.ts';

const RUBY = ['ruby', `${import.meta.dirname}/run.rb`];
const PYTHON = ['build/python/bin/python', `${import.meta.dirname}/run.py`];

/** The classes of programs say what they do: a verifier would read what was put in. */
const JAVA = [
  'java', '-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote', '-XX:TieredStopAtLevel=1', '-cp', 'test/frameworks/jvm/build/programs/*', `${import.meta.dirname}/Run.java`,
]; // biome-ignore format: one line

/** Each with how many programs run where nobody asks for more. */
export const KINDS: [string, string[], (tree: Application) => Rendered, number][] = [
  ['django', PYTHON, (tree) => python(tree, django), 60],
  ['sqlalchemy', PYTHON, (tree) => python(tree, session), 40],
  ['core', PYTHON, (tree) => python(tree, core), 40],
  ['psycopg', PYTHON, (tree) => python(tree, psycopg), 40],
  ['activerecord', RUBY, (tree) => ruby(tree, activerecord), 60],
  ['sequel', RUBY, (tree) => ruby(tree, sequel), 60],
  ['jdbc', JAVA, (tree) => java(tree, jdbc), 60],
  ['spring', JAVA, (tree) => java(tree, spring), 60],
  ['jooq', JAVA, (tree) => java(tree, jooq), 60],
];
