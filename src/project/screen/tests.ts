// Whether a path looks like test code, by the habits of each language; the unit's own role is surer.

const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing|fixtures|src\/(test|testFixtures|integrationTest|it)|androidTest)\/|(^|\/)(test_[^/]*|conftest|[^/]*_test|tests|testing)\.py$/;

/** Where what is shipped stands apart from its tests, a product has an `ab_test.rb` and an `OrderSpec.java`. */
const NAMED =
  /^(?!(.*\/)?app\/).*_(spec|test)\.rb$|^(?!(.*\/)?src\/main\/).*(Tests?|IT|TestCase|Spec)\.(java|kt|groovy)$/;

/** The folder by which it looks like a test, as what imports it names it; empty where there is none. */
export const testFolder = (path: string): string => {
  const [folder = ''] = TEST.exec(path) ?? [];
  return folder.endsWith('/') ? folder.split('/').at(-2)!.toLowerCase() : '';
};

export const looksLikeTest = (path: string) => TEST.test(path) || NAMED.test(path);
