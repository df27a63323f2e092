// Java's and Kotlin's tables, so that no other language's are made where one is read. Not what they say.
import type { Framework } from '../../framework.ts';
import clients from './clients.ts';
import containers from './containers.ts';
import doma from './doma.ts';
import dynamicDatasource from './dynamic_datasource.ts';
import ebean from './ebean.ts';
import exposed from './exposed.ts';
import hibernate from './hibernate.ts';
import jdbc from './jdbc.ts';
import jdbi from './jdbi.ts';
import jdk from './jdk.ts';
import jooq from './jooq.ts';
import jta from './jta.ts';
import kotliquery from './kotliquery.ts';
import ktorm from './ktorm.ts';
import liquibase from './liquibase.ts';
import micronaut from './micronaut.ts';
import mocks from './mocks.ts';
import mybatis from './mybatis.ts';
import ormlite from './ormlite.ts';
import panache from './panache.ts';
import querydsl from './querydsl.ts';
import r2dbc from './r2dbc.ts';
import spring from './spring.ts';
import uroborosql from './uroborosql.ts';
import validation from './validation.ts';
import vertx from './vertx.ts';

export const frameworks: Framework[] = [
  clients,
  containers,
  doma,
  dynamicDatasource,
  ebean,
  exposed,
  hibernate,
  jdbc,
  jdbi,
  jdk,
  jooq,
  jta,
  kotliquery,
  ktorm,
  liquibase,
  micronaut,
  mocks,
  mybatis,
  ormlite,
  panache,
  querydsl,
  r2dbc,
  spring,
  uroborosql,
  validation,
  vertx,
];
