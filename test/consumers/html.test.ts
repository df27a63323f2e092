// The HTML report in a browser, from a file and without a network: it draws, asks for nothing, and leaves a picture to look at.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, repository, TOOLS } from './world.ts';

const CHROMIUM = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
  '--host-resolver-rules=MAP * ~NOTFOUND',
  ...['--disable-background-networking', '--disable-component-update', '--disable-quic', '--hide-scrollbars'],
];

test('the page of the projects draws every finding, and asks no network for anything', () => {
  const world = repository({}, join(ROOT, 'fixtures/projects'));
  expect(world.subxact('check', '-f', 'html=report.html', '-f', 'json=report.json').err).toBe('');
  const { findings } = JSON.parse(readFileSync(join(world.folder, 'report.json'), 'utf8'));
  const page = `file://${world.folder}/report.html`;
  const pictures = join(TOOLS, 'screenshots');
  mkdirSync(pictures, { recursive: true });
  const chromium = (...args: string[]) =>
    world.run('chromium', [...CHROMIUM, `--user-data-dir=${world.folder}/profile`, ...args, page]);
  const { out } = chromium('--dump-dom', `--log-net-log=${world.folder}/net.json`);
  // As the browser understood it, with all that is drawn.
  expect(out.match(/<article/g)?.length).toBe(findings.length);
  const traced = findings.filter(({ trace }: { trace: unknown[] }) => trace.length > 1).length;
  expect(out.match(/<svg/g)?.length).toBeGreaterThanOrEqual(traced);
  expect(out).not.toMatch(/<(script|link|img|iframe)\b|@import|url\(/);
  const log = JSON.parse(readFileSync(join(world.folder, 'net.json'), 'utf8'));
  const asked = log.events.flatMap(({ params }: { params?: { url?: string } }) => params?.url ?? []);
  // The browser itself asks its maker for news at every start.
  const itself = /^https?:\/\/[\w.-]+\.(google|googleapis|gvt1)\.com\//;
  expect(asked.filter((url: string) => /^(https?|wss?|ftp):/.test(url) && !itself.test(url))).toEqual([]);
  chromium(`--screenshot=${pictures}/report.png`, '--window-size=1280,2400');
  expect(statSync(join(pictures, 'report.png')).size).toBeGreaterThan(30_000);
});

test('names in the code bring no markup of their own', () => {
  const world = repository({
    'a<script>.sql': `CREATE FUNCTION "<img src=x onerror=alert(1)>"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR r IN SELECT * FROM source LOOP
    BEGIN
      INSERT INTO "<b>" VALUES (1); -- <script>
    EXCEPTION WHEN check_violation THEN NULL;
    END;
  END LOOP;
END $$;
`,
  });
  const { out } = world.subxact('-f', 'html');
  expect(out).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(out).not.toMatch(/<(script|img)\b|"<b>/);
});
