// Another extension that owns `.sql` and says something of every such file; for the test only.
const { languages, Diagnostic, DiagnosticSeverity, Range, workspace } = require('vscode');

exports.activate = ({ subscriptions }) => {
  const said = languages.createDiagnosticCollection('stand-in');
  const say = ({ uri, languageId }) => {
    if (languageId !== 'postgres') return;
    const message = 'the other extension was here';
    said.set(uri, [new Diagnostic(new Range(0, 0, 0, 1), message, DiagnosticSeverity.Information)]);
  };
  workspace.textDocuments.forEach(say);
  subscriptions.push(said, workspace.onDidOpenTextDocument(say));
};
