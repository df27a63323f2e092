// One row for each framework's table; nothing else.
import type { Framework } from '../framework.ts';
import activerecord from './activerecord.ts';
import alembic from './alembic.ts';
import asyncpg from './asyncpg.ts';
import clients from './clients.ts';
import databases from './databases.ts';
import django from './django.ts';
import dynamicDatasource from './dynamic_datasource.ts';
import ebean from './ebean.ts';
import exposed from './exposed.ts';
import hibernate from './hibernate.ts';
import jdbc from './jdbc.ts';
import jdbi from './jdbi.ts';
import jdk from './jdk.ts';
import jooq from './jooq.ts';
import jta from './jta.ts';
import micronaut from './micronaut.ts';
import mybatis from './mybatis.ts';
import odoo from './odoo.ts';
import peewee from './peewee.ts';
import piccolo from './piccolo.ts';
import pony from './pony.ts';
import psycopg from './psycopg.ts';
import python from './python.ts';
import pythonClients from './python_clients.ts';
import r2dbc from './r2dbc.ts';
import rubyCore from './ruby_core.ts';
import rubyJobs from './ruby_jobs.ts';
import sequel from './sequel.ts';
import spring from './spring.ts';
import sqlalchemy from './sqlalchemy.ts';
import tortoise from './tortoise.ts';
import vertx from './vertx.ts';
import web from './web.ts';
import zope from './zope.ts';

export const frameworks: Framework[] = [
  activerecord,
  alembic,
  asyncpg,
  clients,
  databases,
  django,
  dynamicDatasource,
  ebean,
  exposed,
  hibernate,
  jdbc,
  jdbi,
  jdk,
  jooq,
  jta,
  micronaut,
  mybatis,
  odoo,
  peewee,
  piccolo,
  pony,
  psycopg,
  python,
  pythonClients,
  r2dbc,
  rubyCore,
  rubyJobs,
  sequel,
  spring,
  sqlalchemy,
  tortoise,
  vertx,
  web,
  zope,
];
