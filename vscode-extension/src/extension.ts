// Starts the language server and shows its state; it knows nothing of subtransactions.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  commands,
  type Disposable,
  type ExtensionContext,
  env,
  type LanguageStatusItem,
  LanguageStatusSeverity,
  languages,
  Uri,
  window,
  workspace,
} from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';

/** By file, not by language: another extension may claim `.sql` under a name of its own. */
const SELECTOR = [
  { scheme: 'file', pattern: '**/*.{sql,psql,pgsql,ddl,plpgsql,py,rb,rake,java,kt,kts}' },
  // Of these languages migrations are read, and nothing else.
  { scheme: 'file', pattern: '**/*{migrat,procedure,trigger,plpgsql}*/**/*.{js,cjs,mjs,ts,cts,mts}' },
];

interface Status {
  state: 'indexing' | 'ready' | 'failed';
  files: number;
  findings: number;
  message?: string;
}

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('subxact', { log: true });
  const status = languages.createLanguageStatusItem('subxact.status', SELECTOR);
  status.name = 'subxact';
  status.command = { command: 'subxact.showOutput', title: 'Output' };
  const start = async () => {
    await client?.stop().catch(() => {});
    client = undefined;
    if (!workspace.getConfiguration('subxact').get<boolean>('enable', true))
      return show(status, { state: 'ready', files: 0, findings: 0, message: 'off' });
    client = new LanguageClient('subxact', 'subxact', server(context), clientOptions(output));
    client.onNotification('subxact/status', (news: Status) => show(status, news));
    show(status, { state: 'indexing', files: 0, findings: 0 });
    await client
      .start()
      .catch((error: Error) =>
        show(status, { state: 'failed', files: 0, findings: 0, message: error.message }),
      );
  };
  const own: Disposable[] = [
    output,
    status,
    commands.registerCommand('subxact.restart', start),
    commands.registerCommand('subxact.showOutput', () => output.show()),
    commands.registerCommand('subxact.openRulePage', (rule?: string) =>
      openRulePage(context.extension.packageJSON.homepage, rule),
    ),
    commands.registerCommand('subxact.openWalkthrough', () =>
      commands.executeCommand('workbench.action.openWalkthrough', 'subxact.subxact#start'),
    ),
    commands.registerCommand('subxact.disableWithReason', disableWithReason),
    commands.registerCommand('subxact.showPlaces', showPlaces),
    workspace.onDidGrantWorkspaceTrust(start),
    workspace.onDidChangeConfiguration((change) => {
      const restart = ['subxact.enable', 'subxact.path', 'subxact.run', 'subxact.configFile'];
      if (restart.some((key) => change.affectsConfiguration(key))) void start();
    }),
  ];
  context.subscriptions.push(...own);
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The configured one, the workspace's own, or the bundled; an untrusted workspace has no say. */
function serverFile(context: ExtensionContext): string {
  const bundled = context.asAbsolutePath(join('server', 'bin', 'subxact.js'));
  if (!workspace.isTrusted) return bundled;
  const configured = workspace.getConfiguration('subxact').get<string>('path', '');
  if (configured) return configured;
  const local = (workspace.workspaceFolders ?? [])
    .map((folder) => join(folder.uri.fsPath, 'node_modules', 'subxact', 'bin', 'subxact.js'))
    .find((file) => existsSync(file));
  return local ?? bundled;
}

function server(context: ExtensionContext): ServerOptions {
  const file = serverFile(context);
  // A JavaScript file runs on the editor's own Node; anything else is a program.
  if (/\.[cm]?js$/.test(file)) return { module: file, args: ['lsp'], transport: TransportKind.stdio };
  return { command: file, args: ['lsp', '--stdio'], transport: TransportKind.stdio };
}

function clientOptions(output: LanguageClientOptions['outputChannel']): LanguageClientOptions {
  const run = workspace.getConfiguration('subxact').get<string>('run', 'onType');
  return {
    documentSelector: SELECTOR,
    outputChannel: output,
    synchronize: { configurationSection: 'subxact' },
    diagnosticPullOptions: { onChange: run === 'onType', onSave: run === 'onSave' },
    initializationOptions: { asksForReason: true, showsPlaces: true },
  };
}

function show(item: LanguageStatusItem, news: Status): void {
  item.busy = news.state === 'indexing';
  item.severity = news.state === 'failed' ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
  item.text =
    news.message ?? (news.state === 'indexing' ? 'subxact: reading' : `subxact: ${news.findings} findings`);
  item.detail = news.state === 'ready' ? `${news.files} files` : undefined;
}

async function openRulePage(homepage: string, rule?: string): Promise<void> {
  const chosen =
    rule ?? (await window.showInputBox({ prompt: 'Which rule?', placeHolder: 'subtransaction-in-loop' }));
  if (chosen) await env.openExternal(Uri.parse(`${homepage}/blob/main/rules/${chosen}/rule.md`));
}

/** A suppression needs a reason, so the editor asks for one. */
async function disableWithReason(request: { uri: string; rule: string; line: number }): Promise<void> {
  const reason = await window.showInputBox({
    prompt: `Why may ${request.rule} stand here?`,
    placeHolder: 'the table never has more than ten rows',
    validateInput: (text) =>
      text.trim() ? undefined : 'A reason is needed; without one the comment does nothing.',
  });
  if (reason)
    await client?.sendRequest('workspace/executeCommand', {
      command: 'subxact.disable',
      arguments: [{ ...request, reason }],
    });
}

/** Shows where a routine is reached from, in the editor's own list. */
async function showPlaces(
  uri: string,
  position: ProtocolPosition,
  places: { uri: string; range: { start: ProtocolPosition; end: ProtocolPosition } }[],
): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  if (!convert) return;
  await commands.executeCommand(
    'editor.action.showReferences',
    Uri.parse(uri),
    convert.asPosition(position),
    places.map((place) => convert.asLocation(place)),
  );
}

interface ProtocolPosition {
  line: number;
  character: number;
}
