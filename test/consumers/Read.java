// Reads reports with the parsers of Jenkins' Warnings plugin and prints what it understood, one issue a line.
import edu.hm.hafner.analysis.FileReaderFactory;
import edu.hm.hafner.analysis.registry.ParserRegistry;
import java.nio.file.Path;

public class Read {
  public static void main(String[] arguments) {
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      var parser = new ParserRegistry().get(arguments[i]).createParser();
      var report = parser.parse(new FileReaderFactory(Path.of(arguments[i + 1])));
      for (var issue : report)
        System.out.println(
            String.join(
                "\t",
                arguments[i],
                issue.getFileName(),
                issue.getLineStart() + ":" + issue.getColumnStart(),
                issue.getSeverity().toString(),
                issue.getType() + issue.getCategory(),
                issue.getMessage().replaceAll("\\s+", " ")));
      for (var message : report.getErrorMessages()) System.out.println(arguments[i] + "\terror\t" + message);
    }
  }
}
