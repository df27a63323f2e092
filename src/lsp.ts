// The language server: speaks the protocol, and nothing else; what it answers comes from src/editor.
import { createHash } from 'node:crypto';
import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  TextDocumentSyncKind,
  WatchKind,
} from 'vscode-languageserver/node';
import * as answers from './editor/answers.ts';
import { calleesOf, callersOf, prepareCalls } from './editor/calls.ts';
import type { Folder } from './editor/folder.ts';
import { lineEnd, linesOf, offsetAt } from './editor/positions.ts';
import { DEFAULTS, type Disk, openSession, type Place, type Session } from './editor/session.ts';

/** Any of these may change what is found elsewhere. */
const WATCHED = [
  '**/*.{sql,psql,pgsql,ddl,plpgsql,pg,pgbench,psqlrc,py,pyw,rb,rake,ru,arb,java,kt,kts}',
  '**/*.{json,jsonc,toml,yaml,yml,xml,properties,lock,ini,env,cfg,conf,gradle,tf,prisma}',
  '**/{.gitignore,.gitmodules,psqlrc,Rakefile,Gemfile,Pipfile}',
  '**/*{migrat,procedure,trigger,plpgsql}*/**/*.{js,cjs,mjs,ts,cts,mts}',
];
const FIX_ALL = `${CodeActionKind.SourceFixAll}.subxact`;
/** The result id of a file that has nothing to say any more. */
const NOTHING = 'nothing';

/** What the client can do, as far as it matters. */
interface Client {
  pulls: boolean;
  refreshes: boolean;
  refreshesLenses: boolean;
  hasConfiguration: boolean;
  registersConfiguration: boolean;
  watches: boolean;
  changesFolders: boolean;
  showsProgress: boolean;
  /** Our own extension: it asks for the reason of a suppression, and shows places in a list. */
  asksForReason: boolean;
  showsPlaces: boolean;
}

const NO_CLIENT: Client = {
  pulls: false,
  refreshes: false,
  refreshesLenses: false,
  hasConfiguration: false,
  registersConfiguration: false,
  watches: false,
  changesFolders: false,
  showsProgress: false,
  asksForReason: false,
  showsPlaces: false,
};

export function serve(
  disk: Disk,
  connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout),
): void {
  const client = { ...NO_CLIENT };
  const session: Session = openSession(disk, {
    changed: () => tell(),
    failed(error) {
      connection.console.error(error.stack ?? error.message);
      sendStatus(connection, session, 'failed', error.message);
    },
    warn: (message) =>
      // Not as a question, which a client may not know: what it refuses would end the server.
      void connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Warning,
        message: `subxact: ${message}`,
      }),
    async indexing() {
      sendStatus(connection, session, 'indexing');
      const progress = client.showsProgress
        ? await connection.window.createWorkDoneProgress().catch(() => null)
        : null;
      progress?.begin('subxact', 0, 'reading the repository', false);
      return {
        report: (done, of) =>
          progress?.report(of ? Math.floor((100 * done) / of) : 0, `${done} of ${of} files`),
        done: () => progress?.done(),
      };
    },
  });
  const tell = tellDiagnostics(connection, session, client);
  answerLife(connection, session, client, disk);
  answerDocuments(connection, session);
  answerQuestions(connection, session, client, disk);
  answerActions(connection, session, client, disk);
  connection.listen();
}

function sendStatus(
  connection: Connection,
  session: Session,
  state: 'indexing' | 'ready' | 'failed',
  message?: string,
): void {
  const sum = (count: (folder: Folder) => number) =>
    session.folders.reduce((total, folder) => total + count(folder), 0);
  const files = sum((folder) => folder.files);
  const findings = sum((folder) => folder.workspace.findings.length);
  void connection.sendNotification('subxact/status', { state, files, findings, message });
}

// ---- life ------------------------------------------------------------------------------------------------------

function answerLife(connection: Connection, session: Session, client: Client, disk: Disk): void {
  connection.onInitialize((params: InitializeParams): InitializeResult => {
    const { capabilities, initializationOptions: own = {} } = params;
    client.pulls = Boolean(capabilities.textDocument?.diagnostic);
    client.refreshes = Boolean(capabilities.workspace?.diagnostics?.refreshSupport);
    client.refreshesLenses = Boolean(capabilities.workspace?.codeLens?.refreshSupport);
    client.hasConfiguration = Boolean(capabilities.workspace?.configuration);
    client.registersConfiguration = Boolean(
      capabilities.workspace?.didChangeConfiguration?.dynamicRegistration,
    );
    client.watches = Boolean(capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration);
    client.changesFolders = Boolean(capabilities.workspace?.workspaceFolders);
    client.showsProgress = Boolean(capabilities.window?.workDoneProgress);
    client.asksForReason = Boolean(own?.asksForReason);
    client.showsPlaces = Boolean(own?.showsPlaces);
    const offered = capabilities.general?.positionEncodings ?? ['utf-16'];
    session.setEncoding(
      (['utf-16', 'utf-8', 'utf-32'] as const).find((one) => offered.includes(one)) ?? 'utf-16',
    );
    const roots =
      params.workspaceFolders?.map((folder) => folder.uri) ?? (params.rootUri ? [params.rootUri] : []);
    for (const root of roots) session.addFolder(root);
    return {
      serverInfo: { name: 'subxact', version: disk.version },
      capabilities: {
        positionEncoding: session.encoding(),
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        ...(client.pulls
          ? {
              diagnosticProvider: {
                identifier: 'subxact',
                interFileDependencies: true,
                workspaceDiagnostics: true,
              },
            }
          : {}),
        hoverProvider: true,
        codeLensProvider: { resolveProvider: false },
        callHierarchyProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
        executeCommandProvider: { commands: ['subxact.disable', 'subxact.openPage'] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onInitialized(async () => {
    if (client.registersConfiguration)
      await connection.client
        .register(DidChangeConfigurationNotification.type, { section: 'subxact' })
        .catch(() => {});
    if (client.watches)
      await connection.client
        .register(DidChangeWatchedFilesNotification.type, {
          // Of a folder that goes with all that is in it many clients tell its own name alone.
          watchers: [
            ...WATCHED.map((globPattern) => ({ globPattern })),
            { globPattern: '**', kind: WatchKind.Delete },
          ],
        })
        .catch(() => {});
    if (client.changesFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        void session.changeFolders(
          added.map((one) => one.uri),
          removed.map((one) => one.uri),
        );
      });
    await session.configure(await readSettings({}), true);
  });

  connection.onDidChangeConfiguration(async ({ settings }) =>
    session.configure(await readSettings(settings?.subxact), false),
  );

  /** The client's word for each setting; what it does not say has its default. */
  async function readSettings(pushed: object | undefined) {
    const given = client.hasConfiguration
      ? await connection.workspace.getConfiguration('subxact').catch(() => null)
      : pushed;
    return { ...DEFAULTS, ...given };
  }
}

// ---- documents -------------------------------------------------------------------------------------------------

function answerDocuments(connection: Connection, session: Session): void {
  connection.onDidOpenTextDocument(
    ({ textDocument }) => void session.opened(textDocument.uri, textDocument.text),
  );
  connection.onDidChangeTextDocument(({ textDocument, contentChanges }) => {
    let text = session.text(textDocument.uri);
    for (const change of contentChanges) {
      if ('range' in change) {
        // Of a document that was never opened nobody knows what stands around the change.
        if (text === undefined) return;
        const now = linesOf(text);
        const start = offsetAt(now, change.range.start, session.encoding());
        const end = offsetAt(now, change.range.end, session.encoding());
        text = text.slice(0, start) + change.text + text.slice(end);
      } else text = change.text;
    }
    if (text !== undefined) session.changed(textDocument.uri, text);
  });
  connection.onDidSaveTextDocument(({ textDocument }) => void session.saved(textDocument.uri));
  connection.onDidCloseTextDocument(({ textDocument }) => void session.close(textDocument.uri));
  connection.onDidChangeWatchedFiles(({ changes }) =>
    session.diskChanged(changes.map((change) => change.uri)),
  );
}

// ---- diagnostics -----------------------------------------------------------------------------------------------

/** Pushes to clients that listen, answers those that pull; never both, so nothing is shown twice. */
function tellDiagnostics(connection: Connection, session: Session, client: Client): () => void {
  let published = new Map<string, Diagnostic[]>(); // what each file was told last
  const held: (() => void)[] = []; // workspace pulls that wait until something changes

  function push(): void {
    const next = new Map<string, Diagnostic[]>();
    for (const { uri, items } of reports(session)) {
      next.set(uri, items);
      if (!equal(published.get(uri), items)) void connection.sendDiagnostics({ uri, diagnostics: items });
    }
    for (const uri of published.keys())
      if (!next.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
    published = next;
  }

  connection.languages.diagnostics.on(async ({ textDocument }) => {
    const at = await session.fresh(textDocument.uri);
    return { kind: 'full', items: (at ? answers.diagnostics(at.view, at.file) : []) as Diagnostic[] };
  });

  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
    const known = new Map(previousResultIds.map((one) => [one.uri, one.value]));
    for (;;) {
      await session.idle();
      const items = news(session, known);
      if (items.length > 0 || token.isCancellationRequested) return { items };
      // Nothing new: the answer is held back, or the client would ask again every two seconds.
      await new Promise<void>((wake) => {
        held.push(wake);
        token.onCancellationRequested(() => wake());
      });
    }
  });

  return () => {
    if (!client.pulls) push();
    else {
      if (client.refreshes) void connection.sendRequest(DiagnosticRefreshRequest.type).catch(() => {});
      for (const wake of held.splice(0)) wake();
    }
    if (client.refreshesLenses) void connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
    sendStatus(connection, session, 'ready');
  };
}

/** Of plain values, as they go over the wire. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in one) if (!equal(one[key], other[key])) return false;
  for (const key in other) if (!(key in one)) return false;
  return true;
}

/** Every file with something to say. */
function* reports(session: Session): Iterable<{ uri: string; items: Diagnostic[] }> {
  for (const folder of session.folders.filter((one) => one.ready)) {
    const view = session.view(folder);
    for (const [file, items] of answers.allDiagnostics(view))
      yield { uri: view.uri(file), items: items as Diagnostic[] };
  }
}

/** What a pulling client does not know yet; open documents it asks for one by one. */
function news(session: Session, known: Map<string, string>) {
  const out: { kind: 'full'; uri: string; version: null; resultId: string; items: Diagnostic[] }[] = [];
  const seen = new Set<string>();
  for (const { uri, items } of reports(session)) {
    seen.add(uri);
    const resultId = createHash('sha1').update(JSON.stringify(items)).digest('base64url');
    if (known.get(uri) !== resultId && !session.isOpen(uri))
      out.push({ kind: 'full', uri, version: null, resultId, items });
  }
  for (const [uri, resultId] of known)
    if (!seen.has(uri) && resultId !== NOTHING && !session.isOpen(uri))
      out.push({ kind: 'full', uri, version: null, resultId: NOTHING, items: [] });
  return out;
}

// ---- questions -------------------------------------------------------------------------------------------------

function answerQuestions(connection: Connection, session: Session, client: Client, disk: Disk): void {
  connection.onHover(async ({ textDocument, position }) => {
    const at = await session.fresh(textDocument.uri);
    const found = at && answers.hover(at.view, at.file, position, disk.page);
    return found ? { contents: { kind: 'markdown', value: found.markdown }, range: found.range } : null;
  });

  connection.onCodeLens(async ({ textDocument }) => {
    const at = session.settings().codeLens ? await session.fresh(textDocument.uri) : null;
    if (!at) return [];
    return answers.lenses(at.view, at.file).map(({ range, title, places }) => ({
      range,
      command:
        client.showsPlaces && places.length > 0
          ? { title, command: 'subxact.showPlaces', arguments: [textDocument.uri, range.start, places] }
          : { title, command: '' },
    }));
  });

  connection.languages.callHierarchy.onPrepare(async ({ textDocument, position }) => {
    const at = await session.fresh(textDocument.uri);
    return at ? prepareCalls(at.view, at.file, position) : null;
  });
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }) => {
    const at = await session.fresh(item.uri);
    if (!at || !item.data) return [];
    return callersOf(at.view, item.data as never).map(({ item: from, ranges }) => ({
      from,
      fromRanges: ranges,
    }));
  });
  connection.languages.callHierarchy.onOutgoingCalls(async ({ item }) => {
    const at = await session.fresh(item.uri);
    if (!at || !item.data) return [];
    return calleesOf(at.view, item.data as never).map(({ item: to }) => ({
      to,
      fromRanges: [item.selectionRange],
    }));
  });
}

// ---- actions ---------------------------------------------------------------------------------------------------

function answerActions(connection: Connection, session: Session, client: Client, disk: Disk): void {
  connection.onCodeAction(async ({ textDocument, range, context }) => {
    const at = await session.fresh(textDocument.uri);
    if (!at) return [];
    const wanted = (kind: string) =>
      !context.only || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
    const out: CodeAction[] = [];
    if (wanted(CodeActionKind.QuickFix))
      for (const found of answers.findingsIn(at.view, at.file, range))
        out.push(...quickFixes(at, textDocument.uri, found));
    if (context.only && wanted(FIX_ALL)) {
      const edit = answers.fixAll(at.view, at.file);
      if (Object.keys(edit.changes).length > 0)
        out.push({ title: 'Apply all safe fixes of subxact', kind: FIX_ALL, edit });
    }
    return out;
  });

  function quickFixes(
    at: Place,
    uri: string,
    { finding, diagnostic }: ReturnType<typeof answers.findingsIn>[number],
  ): CodeAction[] {
    const common = { kind: CodeActionKind.QuickFix, diagnostics: [diagnostic as Diagnostic] };
    const fixes: CodeAction[] = (finding.fixes ?? []).map((fix, index) => ({
      ...common,
      title: fix.title,
      isPreferred: fix.safe && index === 0,
      edit: answers.editsOf(at.view, finding, index),
    }));
    const line = diagnostic.range.start.line;
    const rule = [finding.rule, ...(finding.also ?? [])].join(', ');
    const title = `Allow ${rule} on this line, with a reason`;
    const allow: CodeAction = client.asksForReason
      ? {
          ...common,
          title,
          command: {
            title,
            command: 'subxact.disableWithReason',
            arguments: [{ uri, rule, line }],
          },
        }
      : { ...common, title, edit: suppress(at, uri, rule, line, 'say why') };
    const open = `Open the page of ${finding.rule}`;
    return [
      ...fixes,
      ...(disk.suppression(at.file, rule, '') ? [allow] : []),
      {
        ...common,
        title: open,
        command: { title: open, command: 'subxact.openPage', arguments: [finding.rule] },
      },
    ];
  }

  /** The comment on a line of its own, indented as the line it speaks of. */
  function suppress(at: Place, uri: string, rule: string, line: number, reason: string) {
    const known = at.view.lines(at.file)!;
    const indent = /^[ \t]*/.exec(known.text.slice(known.starts[line] ?? 0, lineEnd(known, line)))![0];
    const newline = known.text.includes('\r\n') ? '\r\n' : '\n';
    const start = { line, character: 0 };
    const comment = disk.suppression(at.file, rule, reason);
    const range = { start, end: start };
    return { changes: { [uri]: comment ? [{ range, newText: `${indent}${comment}${newline}` }] : [] } };
  }

  connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
    if (command === 'subxact.openPage')
      await connection.window.showDocument({ uri: disk.pageUrl(String(given[0])), external: true });
    if (command !== 'subxact.disable') return;
    const request = given[0] as { uri: string; rule: string; line: number; reason: string };
    const at = await session.fresh(request.uri);
    if (at)
      await connection.workspace.applyEdit(
        suppress(at, request.uri, request.rule, request.line, request.reason),
      );
  });
}
