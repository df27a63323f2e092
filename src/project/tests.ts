// Whether a path looks like test code, by the habits of each language; the unit's own role is surer.

const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing|fixtures|src\/(test|testFixtures|integrationTest|it)|androidTest)\/|(^|\/)(test_[^/]*|conftest|[^/]*_test|tests)\.py$|_(spec|test)\.rb$|(Tests?|IT|TestCase|Spec)\.(java|kt|groovy)$/;

export const looksLikeTest = (path: string) => TEST.test(path);
