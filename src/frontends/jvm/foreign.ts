// Other people's code, which cannot come back here except through a callback: by its packages.

const FOREIGN =
  /^(java|javax|jakarta|kotlin|kotlinx|scala|groovy|org\.(slf4j|apache|junit|mockito|assertj|hamcrest|springframework|hibernate|jooq|w3c|xml|json|jetbrains\.(annotations|exposed))|com\.(google|fasterxml|sun|amazonaws|azure)|io\.(netty|micrometer|swagger|grpc|reactivex|vertx|micronaut|quarkus|r2dbc)|reactor|lombok|ch\.qos|software\.amazon|okhttp3|retrofit2)\./;

const judged = new Map<string, boolean>();
/** The same few thousand names come again and again. */
export function isForeign(name: string): boolean {
  let foreign = judged.get(name);
  if (foreign === undefined) {
    if (judged.size > 50_000) judged.clear();
    foreign = FOREIGN.test(name);
    judged.set(name, foreign);
  }
  return foreign;
}
