// The GitHub action: the README's workflow run by act on this machine, and both files read by actionlint and zizmor.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaintsOf } from './gate.ts';
import { fromGo, fromPython, LOOP, ROOT, repository, snippet, type World } from './world.ts';

const WORKFLOW = snippet('# .github/workflows/subxact.yml');
const FILE = '.github/workflows/subxact.yml';

/** Stands in for an action that lives on GitHub: it says what it was given. */
const standIn = (inputs: string[], script: string) => `name: stands in
inputs:
${inputs.map((name) => `  ${name}: { default: '' }`).join('\n')}
runs:
  using: composite
  steps:
    - shell: bash
      env:
${inputs.map((name) => `        ${name.replaceAll('-', '_').toUpperCase()}: \${{ inputs.${name} }}`).join('\n')}
      run: ${script}
`;

/** act in host mode: no container, no network; this checkout is the action. */
function act(world: World, built: boolean, event = 'push') {
  const others = repository({});
  const given = (name: string) => join(others.folder, name);
  others.write({
    'checkout/action.yml': standIn(['persist-credentials', 'fetch-depth'], 'echo checked out'),
    'setup-node/action.yml': standIn(['node-version'], 'node --version'),
    'codeql-action/upload-sarif/action.yml': standIn(
      ['sarif_file', 'category'],
      `cp "$SARIF_FILE" ${given('sarif')} && printf %s "$CATEGORY" > ${given('category')}`,
    ),
  });
  const action = repository({});
  action.run('git', ['clone', '-q', ROOT, 'action']);
  if (built) cpSync(join(ROOT, 'dist'), join(action.folder, 'action/dist'), { recursive: true });
  // What is not committed yet is tried as well.
  cpSync(join(ROOT, 'action.yml'), join(action.folder, 'action/action.yml'));
  const used = (pattern: RegExp, text: string) => pattern.exec(text)![1]!;
  const local = [
    `${used(/uses: (actions\/checkout@\S+)/, WORKFLOW)}=${join(others.folder, 'checkout')}`,
    `${used(/uses: (actions\/setup-node@\S+)/, WORKFLOW)}=${join(others.folder, 'setup-node')}`,
    `github/codeql-action@${used(/upload-sarif@(\S+)/, readFileSync('action.yml', 'utf8'))}=${join(others.folder, 'codeql-action')}`,
    `${used(/uses: (subxact\/subxact@\S+)/, WORKFLOW)}=${join(action.folder, 'action')}`,
  ].flatMap((one) => ['--local-repository', one]);
  const ran = world.run(fromGo('act'), [event, '-P', 'ubuntu-latest=-self-hosted', '--pull=false', ...local]);
  const uploaded = existsSync(given('sarif')) ? readFileSync(given('sarif'), 'utf8') : undefined;
  const category = uploaded && readFileSync(given('category'), 'utf8');
  return { ...ran, uploaded, category };
}

describe('the workflow of the README, run by act', () => {
  test('builds the action, finds, annotates, uploads, writes the summary and fails', () => {
    const world = repository({ [FILE]: WORKFLOW }, join(ROOT, 'fixtures/projects/shop'));
    const { code, out, uploaded, category } = act(world, false);
    expect(code, out).not.toBe(0);
    expect(out).toContain('::error file=shop/sql/audit.sql,line=13,endLine=13,col=5');
    expect(out).toContain('Summary - **subxact**: 1 error in');
    expect(out).toMatch(/set-output:: exit-code=1/);
    expect(out).toMatch(/Failure - Main Fail when something is found/);
    expect(JSON.parse(uploaded!).runs[0].results.length).toBe(1);
    expect(complaintsOf(uploaded!)).toEqual([]);
    expect(category).toBe('subxact');
  }, 900_000);

  test('its inputs: paths, a revision, a configuration, no upload, no failure', () => {
    const inputs = `
        with:
          paths: |
            db with blanks
            other
          since: HEAD~1
          config: ci/subxact.json
          sarif: out/found.sarif
          upload: 'false'
          fail: 'false'
`;
    const world = repository({
      [FILE]: WORKFLOW.trimEnd() + inputs,
      'ci/subxact.json': '{ "rules": { "subtransaction-in-loop": "warning" } }',
      'db with blanks/old.sql': LOOP.replace('put_all', 'put_old'),
      'other/a.sql': 'SELECT 1;\n',
    });
    world.write({ 'db with blanks/new.sql': LOOP, 'elsewhere.sql': LOOP.replace('put_all', 'put_else') });
    world.git('add', '.');
    world.git('commit', '-qm', 'two');
    const { code, out, uploaded } = act(world, true);
    expect(code, out).toBe(0);
    expect(out).toContain('::warning file=db with blanks/new.sql,line=6');
    expect(out).not.toContain('old.sql');
    expect(out).not.toContain('elsewhere.sql');
    expect(out).toContain('Summary - **subxact**: 1 warning in');
    expect(out).toContain('set-output:: sarif=out/found.sarif');
    expect(uploaded).toBeUndefined();
  }, 900_000);

  test('a mistake in an input fails with its own words, and uploads nothing', () => {
    const world = repository({ [FILE]: `${WORKFLOW.trimEnd()}\n        with: { paths: nowhere }\n` });
    const { code, out, uploaded } = act(world, true);
    expect(code).not.toBe(0);
    expect(out).toContain('no such file or directory: nowhere');
    expect(uploaded).toBeUndefined();
  }, 900_000);
});

test('actionlint has no complaint of the workflow, and sees what is wrong', () => {
  const world = repository({ [FILE]: WORKFLOW });
  expect(world.run(fromGo('actionlint'), [FILE])).toMatchObject({ code: 0, out: '' });
  // Against the action itself: its inputs.
  const local = WORKFLOW.replace(/uses: subxact\/.*/, 'uses: ./\n        with: { path: x }');
  world.write({ [FILE]: local, 'action.yml': readFileSync('action.yml', 'utf8') });
  expect(world.run(fromGo('actionlint'), [FILE]).out).toContain('input "path" is not defined in action');
});

test('zizmor has no complaint of the action and the workflow', () => {
  const world = repository({
    [FILE]: WORKFLOW,
    'action.yml': readFileSync('action.yml', 'utf8'),
    // The README names us by our release; all others are pinned to what was looked at.
    'zizmor.yml':
      'rules:\n  unpinned-uses:\n    config:\n      policies:\n        subxact/*: ref-pin\n        "*": hash-pin\n',
  });
  const audit = () =>
    world.run(fromPython('zizmor'), [
      '--offline',
      '--no-progress',
      '--config',
      'zizmor.yml',
      FILE,
      'action.yml',
    ]);
  const { code, out, err } = audit();
  expect(out + err).toContain('No findings to report');
  expect(code).toBe(0);
  world.write({
    'action.yml': readFileSync('action.yml', 'utf8').replace(/upload-sarif@.*/, 'upload-sarif@v3'),
  });
  expect(audit().code).not.toBe(0);
});
