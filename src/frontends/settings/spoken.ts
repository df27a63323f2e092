// Which words of a script only speak of a setting, ask for it, take it away or start a console. It knows no setting.

/** The command of a shell that a place stands in; one line may have several, and one may go on in the next lines. */
interface Command {
  words: string;
  /** Where the place is in it. */
  at: number;
  /** What it writes is read by the next one, or what the one before it wrote is read by it. */
  hands: boolean;
  reads: boolean;
  /** It is one of several in parentheses, which may hand on all that they write. */
  group: boolean;
}

/** Of a longer line only what is near counts: it is no command of people. */
const LONGEST = 2000;

function commandAt(whole: string, where: number): Command {
  const from = Math.max(0, where - LONGEST);
  const [text, place] = [whole.slice(from, where + LONGEST), where - from];
  let start = text.lastIndexOf('\n', place - 1) + 1;
  while (start > 1 && goesOn(text, start - 1)) start = text.lastIndexOf('\n', start - 2) + 1;
  let end = place;
  do {
    const next = text.indexOf('\n', end + 1);
    end = next < 0 ? text.length : next;
  } while (end < text.length && goesOn(text, end));
  return cut(text.slice(start, end), place - start);
}

const goesOn = (text: string, lineEnd: number) =>
  /\\\r?$/.test(text.slice(Math.max(0, lineEnd - 2), lineEnd));

const SEPARATOR = /\\[\s\S]|'[^'\n]*'|"(?:\\[\s\S]|[^"\\\n])*"|\|\|?|&&|;/g;

function cut(line: string, at: number): Command {
  let [from, to, before, after] = [0, line.length, '', ''];
  for (const { 0: found, index } of line.matchAll(SEPARATOR)) {
    if (!/^[|&;]/.test(found)) continue;
    if (index >= at) {
      [to, after] = [index, found];
      break;
    }
    [from, before] = [index + found.length, found];
  }
  const words = line.slice(from, to);
  const lead = LEAD.exec(words)![0].length;
  return {
    words: words.slice(lead),
    at: at - from - lead,
    hands: after === '|',
    reads: before === '|',
    group: /^[\s@]*[({]/.test(line),
  };
}

/** What may stand before a command: of the shell, of make, of a list of YAML, and of Dockerfiles. */
const LEAD = /^(?:[\s@({!]|-(?=\s)|RUN\s|run:|(?:if|then|else|elif|while|until|do|time)\s)*/;

/** A command that says to people what it has: `echo "use autosave=always" >&2`. */
const SAYS = /^(?:echo|printf|print|Write-\w+)\s/;
const INTO_A_FILE = /(?:^|[^>&\d])\d?>>?(?!\s*(?:&|\/dev\/(?:std|null|tty)))/;
/** One that looks for it. */
const ASKS = /^(?:git\s+grep|(?:[efz]|rip)?grep|rg|ag|ack|awk|test|\[\[?|case|expr)\s/;

/** A text that a shell's command looks for, or that sed takes away. */
export function isAskedFor(text: string, place: number): boolean {
  const { words, at } = commandAt(text, place);
  return ASKS.test(words) || (/^(?:sudo\s+)?sed\s/.test(words) && isTakenAway(words, at));
}

/** A text that is said to people, and neither written to a file nor read by a command. */
export function isSaid(text: string, place: number): boolean {
  const { words, hands, group } = commandAt(text, place);
  return SAYS.test(words) && !hands && !group && !INTO_A_FILE.test(words.replace(QUOTED, ''));
}

const QUOTED = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g;

/** `sed '/…/d'`, `sed 's/…/x/'`: not what stands where `x` does, and not what is put behind a line. */
function isTakenAway(words: string, at: number): boolean {
  const before = words.slice(0, at);
  const behind = words.slice(at);
  const put = /(?:^|[\s"';])s([/|#,!])(?:(?!\1)[^\\]|\\[\s\S])*$/.exec(before);
  if (put) return behind.includes(put[1]!);
  return /["'\s]\/(?:[^/\\]|\\[\s\S])*$/.test(before) && /^(?:[^/\\]|\\[\s\S])*\/I?\s*[dpq]\b/.test(behind);
}

/** What a script shows to who calls it: `cat <<EOF`, written to no file and read by no command. */
const SHOWN = /^[ \t]*cat[ \t]*<<-?\s*(["']?)(\w+)\1[ \t]*(?:>&2[ \t]*)?\r?\n([\s\S]*?)^\s*\2[ \t\r]*$/gm;

/** The places that it shows. */
export function shown(text: string): (place: number) => boolean {
  if (!text.includes('<<')) return () => false;
  const spans = Array.from(
    text.matchAll(SHOWN),
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  return (place) => spans.some(([start, end]) => start <= place && place < end);
}

/** Where nothing is handed to it, psql is for who types: `exec psql -v … "$URL"`. */
const CONSOLE =
  /^(?:exec\s+|sudo\s+(?:-\w+\s+\w+\s+)?|env\s+|\w+=\S*\s+|(?:docker|docker-compose|podman|kubectl)\s(?:[^"'<>]*\s)?)*(?:[\w./-]*\/)?psql\s/;
const GIVEN =
  /(?:^|\s)(?:-[A-Za-z]*[cf1](?=[\s"'/$.\w]|$)|--(?:file|command|single-transaction)\b)|<|\$[@*]|"\$\{?[@*]|\$\w*(?:ARGS|OPTS|OPTIONS|FLAGS)|%\*/i;

/** No script is run: what is typed there is one's own affair. */
export function isConsole(text: string, place: number): boolean {
  const { words, reads } = commandAt(text, place);
  return !reads && CONSOLE.test(words) && !GIVEN.test(words);
}

/** Of a program: what its errors, its logs and its help say. */
const TELLS =
  /^\s*(?:(?:raise|throw|assert|puts|abort|fail|warn|print)\b(?!\s*=)|(?:return\s+|throw\s+new\s+)?(?:[\w.]*\.)?(?:print|puts|warn|warning|warnings|info|debug|error|exception|critical|fatal|fail|abort|echo|secho|log|\w*Error|\w*Exception)\s*\()/;

/** A text there, on the line that its statement begins with or on the next one. */
export function isTold(text: string, place: number): boolean {
  const start = text.lastIndexOf('\n', place - 1) + 1;
  const line = text.slice(start, place);
  if (TELLS.test(line)) return true;
  if (!/^\s*[rfbu]{0,2}["']/.test(line)) return false;
  const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
  return /\(\s*$/.test(above) && TELLS.test(above);
}
