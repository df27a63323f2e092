// Whether what stands inside a subtransaction writes, as Java and Kotlin say it: surely, perhaps, or not. What is found stands in the pages.
import { expect, test } from 'vitest';
import { lower } from '../src/analyse.ts';
import { link } from '../src/linker/link.ts';
import { allSteps } from './harness.ts';

const JAVA = `package shop;
import java.util.*;
import java.sql.*;
import org.springframework.jdbc.core.*;
import org.springframework.transaction.annotation.*;
`;
const EXPOSED = `package shop
import org.jetbrains.exposed.dao.*
import org.jetbrains.exposed.dao.id.*
import org.jetbrains.exposed.sql.*
import org.jetbrains.exposed.sql.transactions.*
object Lines : IntIdTable("lines") { val name = varchar("name", 50) }
class Line(id: EntityID<Int>) : IntEntity(id) { companion object : IntEntityClass<Line>(Lines); var name by Lines.name }
val db = Database.connect("jdbc:postgresql://x/y", databaseConfig = DatabaseConfig { useNestedTransactions = true })
`;

async function writes(files: Record<string, string>): Promise<string> {
  const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
  return link(units.flatMap((unit) => unit ?? [])).subtransactions.at(-1)!.effects.writes;
}

const nested = (fields: string, body: string, others = '') =>
  writes({
    'shop/A.java': `${JAVA}class Inner { ${fields} @Transactional(propagation = Propagation.NESTED) public void run(String n, Item item) { ${body} } }
class Outer { Inner inner; @Transactional public void all() { inner.run("a", null); } }
class Item { }
${others}`,
  });

const inTransaction = (body: string) =>
  writes({ 'shop/A.kt': `${EXPOSED}fun all(id: Int) = transaction { transaction { ${body} } }` });

test.each([
  ['JdbcTemplate jdbc;', 'jdbc.execute(n);', '', 'unknown'],
  ['JdbcTemplate jdbc;', 'jdbc.execute("SELECT 1");', '', 'no'],
  ['JdbcTemplate jdbc;', 'jdbc.execute((Connection c) -> c.createStatement().execute("DELETE FROM t"));', '', 'yes'],
  ['JdbcTemplate jdbc;', 'jdbc.execute((Connection c) -> 1);', '', 'no'],
  ['Archive archive;', 'archive.keep(n);', 'interface Archive { void keep(String n); }', 'unknown'],
  ['Archive archive;', 'archive.keep(n);', 'interface Archive { void keep(String n); } class Kept implements Archive { public void keep(String n) { } }', 'no'],
  ['Words words;', 'words.upper(n);', '@org.mapstruct.Mapper interface Words { String upper(String n); }', 'no'],
  ['Items items;', 'items.bulk(n);', 'interface Bulk { void bulk(String n); } class BulkImpl implements Bulk { JdbcTemplate jdbc; public void bulk(String n) { jdbc.update("DELETE FROM items"); } } interface Items extends org.springframework.data.repository.CrudRepository<Item, Long>, Bulk { }', 'yes'],
  ['Items items;', 'items.put(n);', 'interface Items { @org.apache.ibatis.annotations.InsertProvider(type = Item.class, method = "put") int put(String n); }', 'yes'],
])('%s %s %s', async (fields, body, others, expected) => {
  expect(await nested(fields, body, others)).toBe(expected);
}); // biome-ignore format: a table

test.each([
  ['Line.new { name = "x" }', 'yes'],
  ['Line.findById(id)?.name = "x"', 'yes'],
  ['Line[id].apply { name = "x" }', 'yes'],
  ['Line[id].delete()', 'yes'],
  ['Line.findById(id)?.name', 'no'],
  ['Lines.selectAll().where { Lines.id eq id }.map { it[Lines.name] }', 'no'],
  ['Lines.selectAll().where { Lines.id eq id }.forUpdate().single()', 'yes'],
  ['Line.all().forEach { it.name = "x" }', 'unknown'],
])('%s', async (body, expected) => {
  expect(await inTransaction(body)).toBe(expected);
}); // biome-ignore format: a table

test('what a wrapper is handed is written inside of its transaction', async () => {
  const wrapper = 'fun <T> tx(block: () -> T): T = transaction { block() }';
  const all = 'fun all() = tx { tx { Line.new { name = "x" } } }';
  expect(await writes({ 'shop/A.kt': `${EXPOSED}${wrapper}\n${all}` })).toBe('yes');
});

const inInner = (body: string) =>
  writes({
    'shop/A.java': `package shop;
import org.jooq.*;
class LineRecord extends org.jooq.impl.UpdatableRecordImpl<LineRecord> { }
class A { DSLContext ctx; void all(LineRecord record) { ctx.transaction(outer -> outer.dsl().transaction(c -> { ${body} })); } }`,
  });

test.each([
  ['record.store();', 'yes'],
  ['c.dsl().batchInsert(record).execute();', 'yes'],
  ['c.dsl().selectFrom(LINE).forUpdate().fetch();', 'yes'],
  ['c.dsl().select(LINE.ID).from(LINE).join(ITEM).using(LINE.ID).orderBy(LINE.ID).fetch();', 'no'],
])('jOOQ: %s', async (body, expected) => {
  expect(await inInner(body)).toBe(expected);
});

test('a hint makes the lock of a repository wait for nobody', async () => {
  const imports = ['jakarta.persistence.*', 'java.util.*', 'org.springframework.data.jpa.repository.*'];
  const locks = async (...annotations: string[]) => {
    const method = `${annotations.join(' ')} List<Job> findByState(String state);`;
    const types = `@Entity class Job { @Id Long id; } interface Jobs extends JpaRepository<Job, Long> { ${method} }`;
    const text = `${imports.map((one) => `import ${one};`).join('\n')}\n${types}`;
    const unit = (await lower('Jobs.java', text))!;
    return allSteps(unit).flatMap((step) => (step.kind === 'row lock' ? [step.skipLocked ?? false] : []));
  };
  const lock = '@Lock(LockModeType.PESSIMISTIC_WRITE)';
  const hint = (value: string) => `@QueryHint(name = "jakarta.persistence.lock.timeout", value = ${value})`;
  expect(await locks(lock)).toEqual([false]);
  expect(await locks(lock, `@QueryHints(${hint('"-2"')})`)).toEqual([true]);
  expect(
    await locks(`@QueryHints(value = {@QueryHint(name = "a", value = "b"), ${hint('"-2"')}})`, lock),
  ).toEqual([true]);
  expect(await locks(lock, `@QueryHints({${hint('LockOptions.SKIP_LOCKED + ""')}})`)).toEqual([true]);
  expect(await locks(lock, `@QueryHints(${hint('"3000"')})`)).toEqual([false]);
  expect(await locks(`@QueryHints(${hint('"-2"')})`)).toEqual([]);
});
