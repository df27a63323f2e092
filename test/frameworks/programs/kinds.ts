// What random programs run on: the process that plays them, and how they are written.
import type { Application } from '../../properties/application.ts';
import { django } from './django.ts';
import { psycopg } from './psycopg.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { Rendered } from './spelling.ts';
import { core, session } from './sqlalchemy.ts';

const PYTHON = ['build/python/bin/python', `${import.meta.dirname}/run.py`];

/** Each with how many programs run where nobody asks for more. */
export const KINDS: [string, string[], (tree: Application) => Rendered, number][] = [
  ['django', PYTHON, (tree) => python(tree, django), 60],
  ['sqlalchemy', PYTHON, (tree) => python(tree, session), 40],
  ['core', PYTHON, (tree) => python(tree, core), 40],
  ['psycopg', PYTHON, (tree) => python(tree, psycopg), 40],
  ['activerecord', ['ruby', `${import.meta.dirname}/run.rb`], ruby, 60],
];
