// Python's tables, so that no other language's are made where one is read. Not what they say.
import type { Framework } from '../../framework.ts';
import alembic from './alembic.ts';
import asyncpg from './asyncpg.ts';
import pythonClients from './clients.ts';
import python from './core.ts';
import databases from './databases.ts';
import django from './django.ts';
import djangoPackages from './django_packages.ts';
import odoo from './odoo.ts';
import others from './others.ts';
import peewee from './peewee.ts';
import pgtrigger from './pgtrigger.ts';
import piccolo from './piccolo.ts';
import pony from './pony.ts';
import psycopg from './psycopg.ts';
import sqlalchemy from './sqlalchemy.ts';
import tortoise from './tortoise.ts';
import wagtail from './wagtail.ts';
import web from './web.ts';
import webpy from './webpy.ts';
import zope from './zope.ts';

export const frameworks: Framework[] = [
  alembic,
  asyncpg,
  databases,
  django,
  djangoPackages,
  odoo,
  others,
  peewee,
  pgtrigger,
  piccolo,
  pony,
  psycopg,
  python,
  pythonClients,
  sqlalchemy,
  tortoise,
  wagtail,
  web,
  webpy,
  zope,
];
