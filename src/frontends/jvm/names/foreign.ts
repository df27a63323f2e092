// Other people's code, which cannot come back here except through a callback: by its packages.

const FOREIGN =
  /^(java|javax|jakarta|kotlin|kotlinx|scala|groovy|org\.(slf4j|apache|junit|mockito|assertj|hamcrest|springframework|hibernate|jooq|w3c|xml|json|jetbrains\.(annotations|exposed))|com\.(google|fasterxml|sun|amazonaws|azure)|io\.(netty|micrometer|swagger|grpc|reactivex|vertx|micronaut|quarkus|r2dbc)|reactor|lombok|ch\.qos|software\.amazon|okhttp3|retrofit2)\./;

/** The same few thousand names come again and again. */
const judged = new Map<string, boolean>();
function isFromElsewhere(name: string): boolean {
  let foreign = judged.get(name);
  if (foreign === undefined) {
    if (judged.size > 50_000) judged.clear();
    foreign = FOREIGN.test(name);
    judged.set(name, foreign);
  }
  return foreign;
}

/** What is foreign to a file of this package, whose own project may be called as other people's are: `org.apache.fineract`. */
export function foreignTo(own: string): (name: string) => boolean {
  const start = FOREIGN.exec(`${own}.`)?.[0];
  if (start === undefined) return isFromElsewhere;
  const end = `${own}.`.indexOf('.', start.length);
  const ours = `${own}.`.slice(0, end < 0 ? start.length : end + 1);
  return (name) => !name.startsWith(ours) && isFromElsewhere(name);
}

/** `com.acme`, `no.nav`: how packages begin where people keep theirs apart. */
const DOMAIN = /^[a-z]{2,4}\./;

/** Whether a name is of the same people, by how their packages begin; those of who begins with no domain have more than one root. */
export const isNear = (name: string, own: string, isForeign: (name: string) => boolean): boolean =>
  own !== '' && (name.startsWith(`${own}.`) || !(DOMAIN.test(own) || DOMAIN.test(name) || isForeign(name)));
