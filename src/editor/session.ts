// One editor's session: folders, open documents, when to read what. It knows no protocol; the disk is handed in.
import type { Unit } from '../ir.ts';
import type { View } from './answers.ts';
import { type Folder, locate, pathOf, uriOf } from './folder.ts';
import { type Encoding, type Lines, linesOf } from './positions.ts';
import { type Assess, edit, emptyWorkspace, refill, replace } from './workspace.ts';

/** How the session reaches the disk: the command line's own way, so that both see the same files. */
export interface Disk {
  /** All units of a folder that matter, from the cache where it is warm. */
  load(
    root: string,
    config: string | undefined,
    progress: (done: number, of: number) => void,
  ): Promise<Loaded>;
  /** How units are assessed before a configuration is read. */
  assess: Assess;
  /** One file again, after it changed on the disk; null when it is gone or none of ours. */
  lower(root: string, file: string): Promise<Unit | null>;
  /** Its text, or undefined when it is gone. */
  text(root: string, file: string): string | undefined;
  /** A comment that suppresses a rule on the next line, without its indentation; undefined where there are none. */
  suppression(file: string, rule: string, reason: string): string | undefined;
  /** A rule's page as Markdown, and its address. */
  page(rule: string): string;
  pageUrl(rule: string): string;
  version: string;
}

export interface Loaded {
  root: string;
  units: Unit[];
  files: number;
  reads: Folder['reads'];
  assess: Assess;
  /** The configuration and the baseline that hold, whatever they are called. */
  configures: string[];
  /** What the user should know: a configuration that could not be read. */
  problem?: string;
}

export interface Settings {
  run: 'onType' | 'onSave';
  severity: Record<string, string>;
  codeLens: boolean;
  hintsAtCallers: boolean;
  configFile: string;
}

export const DEFAULTS: Settings = {
  run: 'onType',
  severity: {},
  codeLens: true,
  hintsAtCallers: true,
  configFile: '',
};

/** What the session tells. */
export interface Listener {
  changed(): void;
  indexing(folder: Folder): Promise<{ report(done: number, of: number): void; done(): void }>;
  failed(error: Error): void;
  warn(message: string): void;
}

/** A longer document would hold up every other one while it is read; it keeps what the disk said of it. */
const LONGEST_DOCUMENT = 4_000_000;
const WAIT_FOR_MORE_EDITS = 15; // milliseconds; a burst of keystrokes is analysed twice at most
const WAIT_FOR_MORE_FILES = 300; // a checkout changes hundreds of files
/** Of so many files it is not asked whether each is one of ours. */
const MANY = 100;
const CONFIGURES =
  /(^|\/)(\.?subxact\.json|subxact\.jsonc|subxact-baseline\.json|package\.json|pyproject\.toml|\.gitignore|\.gitmodules)$/;

export type Session = ReturnType<typeof openSession>;
export type Place = NonNullable<ReturnType<Session['place']>>;

export function openSession(disk: Disk, listener: Listener) {
  const folders: Folder[] = [];
  const open = new Map<string, string>(); // by URI, as the client spells it
  const lines = new Map<string, Lines>(); // by root and file, for the text they were made of
  let uris = new Map<string, string>(); // by root and file, as long as the same documents are open
  const pending = new Map<string, NodeJS.Timeout>();
  let tookAt = 0;
  const touched = new Map<Folder, Set<string>>();
  let touchTimer: NodeJS.Timeout | undefined;
  let settings = DEFAULTS;
  let encoding: Encoding = 'utf-16';
  let work: Promise<void> = Promise.resolve();

  /** One thing at a time, in the order it came; an error ends that thing only. */
  function serial(task: () => Promise<void>): Promise<void> {
    work = work.then(task).catch((error: Error) => listener.failed(error));
    return work;
  }

  function linesFor(folder: Folder, file: string): Lines | undefined {
    const key = `${folder.root}\0${file}`;
    const known = lines.get(key);
    const text = folder.workspace.open.get(file) ?? known?.text ?? disk.text(folder.root, file);
    if (text === undefined || known?.text === text) return known;
    const made = linesOf(text);
    lines.set(key, made);
    return made;
  }

  const view = (folder: Folder): View => ({
    workspace: folder.workspace,
    encoding,
    uri: (file) => clientUri(folder, file),
    lines: (file) => linesFor(folder, file),
    page: disk.pageUrl,
    severity: settings.severity,
    hintsAtCallers: settings.hintsAtCallers,
  });

  /** The client's own spelling of an open document's URI, so that what is said of it finds it. */
  function clientUri(folder: Folder, file: string): string {
    const key = `${folder.root}\0${file}`;
    const uri = uris.get(key) ?? findUri(folder, file);
    uris.set(key, uri);
    return uri;
  }

  function findUri(folder: Folder, file: string): string {
    const uri = uriOf(folder, file);
    if (open.has(uri)) return uri;
    for (const candidate of open.keys()) {
      const at = place(candidate);
      if (at?.folder === folder && at.file === file) return candidate;
    }
    return uri;
  }

  /** The folder and file that a URI names, with the view to answer from; null when it is none of ours. */
  function place(uri: string) {
    const path = pathOf(uri);
    const found = path ? locate(folders, path) : null;
    return found && { ...found, view: view(found.folder) };
  }

  /** An answer speaks of the newest text: edits that wait are taken first, and a first index is waited for. */
  async function fresh(uri: string): Promise<Place | null> {
    if (pending.has(uri)) void take(uri);
    await work;
    const at = place(uri);
    return at?.folder.ready ? at : null;
  }

  async function index(folder: Folder): Promise<void> {
    const progress = await listener.indexing(folder);
    try {
      const loaded = await disk.load(folder.opened, settings.configFile || undefined, progress.report);
      folder.workspace.assess = loaded.assess;
      folder.root = loaded.root;
      folder.files = loaded.files;
      folder.reads = loaded.reads;
      folder.configures = loaded.configures;
      lines.clear();
      uris = new Map();
      for (const file of folder.workspace.open.keys())
        if (!isRead(folder, file)) folder.workspace.open.delete(file);
      await refill(folder.workspace, loaded.units);
      folder.ready = true;
      if (loaded.problem) listener.warn(loaded.problem);
    } finally {
      progress.done();
    }
  }

  /** What makes a new index when it changes. */
  const configures = (folder: Folder, file: string) =>
    CONFIGURES.test(file) || folder.configures.includes(file);

  /** What the disk does not have yet may become one that is read. */
  const isRead = (folder: Folder, file: string) =>
    folder.reads(file) || disk.text(folder.root, file) === undefined;

  /** Each folder on its own: one that cannot be read does not stop the others. */
  async function indexAll(some: Folder[]): Promise<void> {
    for (const folder of some) await index(folder).catch((error: Error) => listener.failed(error));
    listener.changed();
  }

  /** Takes the newest text of an open document into its workspace. */
  function take(uri: string): Promise<void> {
    clearTimeout(pending.get(uri));
    pending.delete(uri);
    return serial(async () => {
      const text = open.get(uri);
      const at = place(uri);
      if (text === undefined || !at || at.folder.workspace.open.get(at.file) === text) return;
      if (text.length > LONGEST_DOCUMENT) return;
      if (!at.folder.workspace.open.has(at.file) && !isRead(at.folder, at.file)) return;
      await edit(at.folder.workspace, at.file, text);
      if (at.folder.ready) listener.changed();
      tookAt = performance.now();
    });
  }

  /** A single keystroke at once; of many that follow each other closely the newest text, after a pause. */
  function takeSoon(uri: string): void {
    const wait = performance.now() - tookAt < WAIT_FOR_MORE_EDITS ? WAIT_FOR_MORE_EDITS : 0;
    clearTimeout(pending.get(uri));
    pending.set(
      uri,
      setTimeout(() => void take(uri), wait),
    );
  }

  function close(uri: string): Promise<void> {
    open.delete(uri);
    uris = new Map();
    clearTimeout(pending.get(uri));
    pending.delete(uri);
    return serial(async () => {
      const at = place(uri);
      if (!at) return;
      lines.delete(`${at.folder.root}\0${at.file}`);
      // The disk's text counts again; without unsaved changes that is the same text.
      const { workspace } = at.folder;
      if (!workspace.open.has(at.file)) return;
      if (disk.text(at.folder.root, at.file) === workspace.open.get(at.file))
        return void workspace.open.delete(at.file);
      replace(workspace, at.file, await disk.lower(at.folder.root, at.file));
      listener.changed();
    });
  }

  /** Files changed on the disk: one is read again, many or a configuration mean a new index. */
  function diskChanged(uris: string[]): void {
    for (const uri of uris) {
      const at = place(uri);
      if (!at || (at.folder.workspace.open.has(at.file) && !configures(at.folder, at.file))) continue;
      lines.delete(`${at.folder.root}\0${at.file}`);
      touched.set(at.folder, (touched.get(at.folder) ?? new Set()).add(at.file));
    }
    clearTimeout(touchTimer);
    if (touched.size > 0) touchTimer = setTimeout(() => void serial(readTouched), WAIT_FOR_MORE_FILES);
  }

  async function readTouched(): Promise<void> {
    const now = [...touched];
    touched.clear();
    let changes = false;
    for (const [folder, files] of now) {
      const ours = files.size > MANY ? [...files] : [...files].filter((file) => isOurs(folder, file));
      if (ours.length === 0) continue;
      changes = true;
      const only = ours.length === 1 && !configures(folder, ours[0]!) ? ours[0]! : undefined;
      if (only && (folder.workspace.units.has(only) || disk.text(folder.root, only) !== undefined))
        replace(folder.workspace, only, await disk.lower(folder.root, only));
      else await index(folder).catch((error: Error) => listener.failed(error));
    }
    if (changes) listener.changed();
  }

  /** A file that counts or did, or a folder with such; of what is ignored or excluded an editor tells us too. */
  function isOurs(folder: Folder, path: string): boolean {
    const { units } = folder.workspace;
    if (units.has(path) || configures(folder, path) || folder.reads(path)) return true;
    return [...units.keys()].some((file) => file.startsWith(`${path}/`));
  }

  return {
    folders,
    /** Documents that the client holds open. */
    isOpen: (uri: string) => open.has(uri),
    text: (uri: string) => open.get(uri),
    place,
    view,
    fresh,
    idle: () => work,
    settings: () => settings,
    setEncoding(next: Encoding) {
      encoding = next;
    },
    encoding: () => encoding,
    async configure(next: Settings, first: boolean): Promise<void> {
      const again = first || next.configFile !== settings.configFile;
      settings = next;
      await serial(async () => (again ? indexAll(folders) : listener.changed()));
    },
    addFolder(uri: string): Folder | null {
      const root = pathOf(uri);
      if (!root || folders.some((folder) => folder.opened === root)) return null;
      const folder: Folder = {
        opened: root,
        root,
        workspace: emptyWorkspace(disk.assess, (file) => linesFor(folder, file)),
        ready: false,
        files: 0,
        reads: () => true,
        configures: [],
      };
      folders.push(folder);
      return folder;
    },
    changeFolders(added: string[], removed: string[]): Promise<void> {
      for (const uri of removed) {
        const at = folders.findIndex((folder) => folder.opened === pathOf(uri));
        if (at >= 0) folders.splice(at, 1);
      }
      uris = new Map();
      const fresh = added.flatMap((uri) => this.addFolder(uri) ?? []);
      return serial(() => indexAll(fresh));
    },
    opened(uri: string, text: string): Promise<void> {
      open.set(uri, text);
      uris = new Map();
      return take(uri);
    },
    changed(uri: string, text: string): void {
      open.set(uri, text);
      if (settings.run === 'onType') takeSoon(uri);
    },
    /** Not every client watches files. */
    saved(uri: string): Promise<void> {
      const at = place(uri);
      if (at && configures(at.folder, at.file)) diskChanged([uri]);
      return take(uri);
    },
    close,
    diskChanged,
  };
}
