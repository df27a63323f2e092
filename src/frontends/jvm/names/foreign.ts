// Other people's code, which cannot come back here except through a callback: by its packages.

const FOREIGN =
  /^(java|javax|jakarta|kotlin|kotlinx|scala|groovy|org\.(slf4j|apache|junit|mockito|assertj|hamcrest|springframework|hibernate|jooq|w3c|xml|json|jetbrains\.(annotations|exposed))|com\.(google|fasterxml|sun|amazonaws|azure)|io\.(netty|micrometer|swagger|grpc|reactivex|vertx|micronaut|quarkus|r2dbc)|reactor|lombok|ch\.qos|software\.amazon|okhttp3|retrofit2)\./;

/** The project of the file that is lowered, where its packages begin as other people's do: `org.apache.fineract.`. */
let ours: string | null = null;

/** Asked once for each file, before anything of it is. */
export function writtenIn(path: string): void {
  const start = FOREIGN.exec(`${path}.`)?.[0];
  if (start === undefined) ours = null;
  else {
    const end = `${path}.`.indexOf('.', start.length);
    ours = `${path}.`.slice(0, end < 0 ? start.length : end + 1);
  }
}

const judged = new Map<string, boolean>();
/** The same few thousand names come again and again. */
export function isForeign(name: string): boolean {
  if (ours !== null && name.startsWith(ours)) return false;
  let foreign = judged.get(name);
  if (foreign === undefined) {
    if (judged.size > 50_000) judged.clear();
    foreign = FOREIGN.test(name);
    judged.set(name, foreign);
  }
  return foreign;
}

/** `com.acme`, `no.nav`: how packages begin where people keep theirs apart. */
const DOMAIN = /^[a-z]{2,4}\./;

/** Whether a name is of the same people, by how their packages begin; those of who begins with no domain have more than one root. */
export const isNear = (name: string, own: string): boolean =>
  own !== '' && (name.startsWith(`${own}.`) || !(DOMAIN.test(own) || DOMAIN.test(name) || isForeign(name)));
