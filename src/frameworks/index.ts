// One row for each framework's table; nothing else.
import type { Framework } from '../framework.ts';
import activerecord from './activerecord.ts';
import alembic from './alembic.ts';
import asyncpg from './asyncpg.ts';
import databases from './databases.ts';
import django from './django.ts';
import odoo from './odoo.ts';
import peewee from './peewee.ts';
import piccolo from './piccolo.ts';
import pony from './pony.ts';
import psycopg from './psycopg.ts';
import python from './python.ts';
import rubyCore from './ruby_core.ts';
import rubyJobs from './ruby_jobs.ts';
import sequel from './sequel.ts';
import sqlalchemy from './sqlalchemy.ts';
import tortoise from './tortoise.ts';
import web from './web.ts';
import zope from './zope.ts';

export const frameworks: Framework[] = [
  activerecord,
  alembic,
  asyncpg,
  databases,
  django,
  odoo,
  peewee,
  piccolo,
  pony,
  psycopg,
  python,
  rubyCore,
  rubyJobs,
  sequel,
  sqlalchemy,
  tortoise,
  web,
  zope,
];
