// Adds up what the test runs wrote and says it in one plain line; it fails when one failed, or when one wrote nothing.
import { readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    passed += numPassedTests;
    // A file that could not even start has no tests that failed.
    failed += numFailedTests || (success ? 0 : Math.max(1, numFailedTestSuites));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
