// Plays programs one after the other in one process of a framework, on a server of their own; it judges nothing.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Server, start } from '../../postgres/servers.ts';
import { PROBE, type Ran } from './truth.ts';

/** The table `fired` has a row trigger that opens a subtransaction for each row. */
export const SCHEMA = `
CREATE TABLE item (id bigserial PRIMARY KEY, n int NOT NULL DEFAULT 0);
CREATE TABLE fired (id bigserial PRIMARY KEY, n int NOT NULL DEFAULT 0);
CREATE TABLE tag (id bigserial PRIMARY KEY, name text UNIQUE, n int NOT NULL DEFAULT 0);
CREATE TABLE part (id bigserial PRIMARY KEY, item_id bigint REFERENCES item, n int NOT NULL DEFAULT 0);
CREATE TABLE log (what text);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO log VALUES ('fired');
    RAISE NOTICE 'block';
  EXCEPTION WHEN check_violation THEN
    NULL;
  END;
  RETURN NEW;
END $$;
CREATE TRIGGER fire AFTER INSERT OR UPDATE ON fired FOR EACH ROW EXECUTE FUNCTION fire();
`;
const RESET = `
TRUNCATE item, fired, tag, part, log RESTART IDENTITY;
INSERT INTO item DEFAULT VALUES; INSERT INTO fired DEFAULT VALUES; INSERT INTO tag (name) VALUES ('known')`;

/** Of its own on the loopback, for drivers that speak TCP. */
const ADDRESS = `127.84.${process.pid & 255}.${(process.pid >> 8) & 255}`;

export async function shop(): Promise<Server> {
  const server = await start(16, { listen_addresses: ADDRESS });
  const admin = await server.connect();
  await admin.query('CREATE DATABASE shop');
  await (await server.connect('shop')).query(SCHEMA);
  return server;
}

export interface Player {
  play(files: Record<string, string>): Promise<Ran>;
  end(): void;
}

export function player(server: Server, command: string[], framework: string): Player {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (what: object) => child.stdin.write(`${JSON.stringify(what)}\n`);
  let id = 0;
  say({ socket: server.socket, address: ADDRESS, probe: PROBE, reset: RESET, framework });
  return {
    async play(files) {
      say({ id: ++id, files });
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${framework} ended`);
        if (value.startsWith('{"id"')) return JSON.parse(value);
      }
    },
    end: () => child.stdin.end(),
  };
}
