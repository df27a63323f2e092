// Quarkus' Panache: entities that save and remove themselves, and whose classes change many. Not its repositories, nor its queries.
import { framework, type Meaning } from '../../framework.ts';

const ENTITY = 'io.quarkus.hibernate.orm.panache.PanacheEntityBase';
const persist: Meaning = {
  write: { verb: 'insert', rows: 'one' },
  // `Tag.persist(tags)`
  when: [{ argument: 0, then: { write: { verb: 'insert', rows: 'many' } } }],
};
const flush: Meaning = { write: { verb: 'insert', rows: 'one' } };

export default framework({
  name: 'panache',
  language: 'jvm',
  packages: [
    'maven:io.quarkus:quarkus-hibernate-orm-panache',
    'maven:io.quarkus:quarkus-hibernate-orm-panache-kotlin',
    'maven:io.quarkus:quarkus-hibernate-reactive-panache',
  ],
  needles: ['.panache.'],
  extended: [ENTITY],
  same: Object.fromEntries(
    ['orm.panache', 'orm.panache.kotlin', 'reactive.panache', 'reactive.panache.kotlin']
      .flatMap((path) =>
        ['PanacheEntityBase', 'PanacheEntity'].map((name) => `io.quarkus.hibernate.${path}.${name}`),
      )
      .filter((name) => name !== ENTITY)
      .map((name) => [name, ENTITY]),
  ),
  types: {
    [ENTITY]: {
      persist,
      persistAndFlush: flush,
      delete: {
        write: { verb: 'delete', rows: 'one' },
        when: [{ argument: 0, then: { write: { verb: 'delete', rows: 'unknown' } } }],
      },
      deleteById: { write: { verb: 'delete', rows: 'one' } },
      deleteAll: { write: { verb: 'delete', rows: 'many' } },
      update: { write: { verb: 'update', rows: 'unknown' } },
    },
  },
});
