// Compiles and runs generated programs on the real libraries and says what was sent to the server, and from which lines.
// Its lines are those of run.py; it knows nothing of the analyser.
import java.io.*;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.regex.*;
import javax.sql.DataSource;
import javax.tools.*;
import org.jooq.tools.json.*;
import org.postgresql.core.*;
import org.postgresql.jdbc.PSQLSavepoint;
import org.springframework.asm.*;

public class Run {
  static final PrintStream OUT = System.out;
  static Map<?, ?> job;

  public static void main(String[] args) throws Exception {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    job = (Map<?, ?>) new JSONParser().parse(in.readLine());
    Watch.control = Pool.open();
    for (String line; (line = in.readLine()) != null; ) {
      var program = (Map<?, ?>) new JSONParser().parse(line);
      Watch.files.clear();
      ((Map<?, ?>) program.get("files")).forEach((file, text) -> Watch.files.put((String) file, (String) text));
      Watch.events = null;
      Pool.clear();
      try (var statement = Watch.control.createStatement()) {
        statement.execute((String) job.get("reset"));
      }
      Watch.events = new ArrayList<>();
      Watch.lines.clear();
      String error = null;
      try {
        var programs = Programs.compile(Watch.files);
        Thread.currentThread().setContextClassLoader(programs);
        programs.loadClass("app.Start").getMethod("start", DataSource.class).invoke(null, new Pool());
      } catch (InvocationTargetException caught) {
        error = caught.getCause().getClass().getSimpleName() + ": " + caught.getCause().getMessage();
        if (System.getenv("SUBXACT_TRACE") != null) caught.getCause().printStackTrace();
      } catch (Throwable caught) {
        error = caught.getClass().getSimpleName() + ": " + caught.getMessage();
      }
      var said = new LinkedHashMap<String, Object>();
      said.put("id", program.get("id"));
      said.put("events", Watch.events);
      said.put("lines", new ArrayList<>(Watch.lines));
      said.put("error", error);
      OUT.println(JSONValue.toJSONString(said));
    }
  }

  /** The classes of one program, each of whose lines says that it runs. */
  static class Programs extends ClassLoader {
    static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
    static final StandardJavaFileManager JARS = JAVAC.getStandardFileManager(null, null, null);
    final Map<String, ByteArrayOutputStream> made = new HashMap<>();

    static Programs compile(Map<String, String> files) {
      var programs = new Programs();
      var sources = new ArrayList<JavaFileObject>();
      files.forEach((file, text) -> {
        if (file.endsWith(".java")) sources.add(new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
          public CharSequence getCharContent(boolean any) { return text; }
        });
      });
      var memory = new ForwardingJavaFileManager<JavaFileManager>(JARS) {
        public JavaFileObject getJavaFileForOutput(Location where, String name, JavaFileObject.Kind kind, FileObject of) {
          return new SimpleJavaFileObject(URI.create("class:///" + name), kind) {
            public OutputStream openOutputStream() {
              var bytes = new ByteArrayOutputStream();
              programs.made.put(name, bytes);
              return bytes;
            }
          };
        }
      };
      var said = new StringWriter();
      var options = List.of("-proc:none", "-nowarn", "-parameters", "-g", "-cp", System.getProperty("java.class.path"));
      if (!JAVAC.getTask(said, memory, null, options, null, sources).call()) throw new NotValidError(said.toString());
      return programs;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      var bytes = made.get(name);
      if (bytes == null) throw new ClassNotFoundException(name);
      var writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      var file = new String[1];
      new ClassReader(bytes.toByteArray()).accept(new ClassVisitor(Opcodes.ASM9, writer) {
        @Override public void visitSource(String source, String debug) { file[0] = "app/" + source; super.visitSource(source, debug); }
        @Override public MethodVisitor visitMethod(int access, String method, String type, String signature, String[] thrown) {
          // What is put in may stand before a frame that belongs to its label: the verifier is off.
          return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, method, type, signature, thrown)) {
            @Override public void visitLineNumber(int line, Label label) {
              super.visitLineNumber(line, label);
              super.visitLdcInsn(file[0] + ":" + line);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, "Run$Watch", "line", "(Ljava/lang/String;)V", false);
            }
          };
        }
      }, 0);
      var all = writer.toByteArray();
      return defineClass(name, all, 0, all.length);
    }

    Programs() { super(Run.class.getClassLoader()); }
  }

  static class NotValidError extends RuntimeException {
    NotValidError(String says) { super(says); }
  }

  public static class Watch {
    static Map<String, String> files = new LinkedHashMap<>();
    static List<Object> events;
    static Set<String> lines = new TreeSet<>();
    static Connection control;

    public static void line(String at) { lines.add(at); }

    /** Lines of the program, innermost first; a method that a proxy has not entered yet stands with its annotation. */
    static List<String> stack() {
      var found = new ArrayList<String>();
      for (var frame : new Throwable().getStackTrace()) {
        var name = frame.getClassName();
        if (!name.startsWith("app.")) continue;
        var made = name.indexOf("$$");
        if (made < 0) found.add("app/" + frame.getFileName() + ":" + frame.getLineNumber());
        else if (found.isEmpty()) annotation("app/" + name.substring(4, made) + ".java", frame.getMethodName()).ifPresent(found::add);
      }
      return found;
    }

    static Optional<String> annotation(String file, String method) {
      var text = files.get(file).split("\n");
      for (var of : List.of("void " + method + "(", "class "))
        for (int i = 1; i < text.length; i++)
          if (text[i].contains(of))
            for (int k = i - 1; k >= 0 && text[k].strip().startsWith("@"); k--)
              if (text[k].contains("@TransactionalPart")) return Optional.of(composed());
              else if (text[k].contains("@Transactional")) return Optional.of(file + ":" + (k + 1));
      return Optional.empty();
    }

    /** What an annotation of the program's own opens stands where that is declared. */
    static String composed() {
      var text = List.of(files.get("app/TransactionalPart.java").split("\n"));
      var line = text.stream().filter(one -> one.startsWith("@Transactional(")).findFirst().orElseThrow();
      return "app/TransactionalPart.java:" + (text.indexOf(line) + 1);
    }

    static void note(String event, BaseConnection connection, String name) {
      if (events == null) return;
      var said = new LinkedHashMap<String, Object>();
      said.put("do", event);
      said.put("at", stack());
      said.put("pid", connection.getBackendPID());
      if (name != null) said.put("name", name.replace("\"", "")); // as pgjdbc quotes it or not
      events.add(said);
    }

    static void look(BaseConnection connection) throws SQLException {
      var pid = connection.getBackendPID();
      try (var statement = control.createStatement(); var row = statement.executeQuery(((String) job.get("probe")).replace("PID", "" + pid))) {
        row.next();
        var said = new LinkedHashMap<String, Object>();
        said.put("do", "look");
        said.put("at", List.of());
        said.put("pid", pid);
        said.put("slots", row.getInt(1));
        said.put("overflowed", row.getBoolean(2));
        said.put("locks", row.getInt(3));
        said.put("multi", row.getInt(4));
        events.add(said);
      }
    }

    static final Pattern WORDS = Pattern.compile("\\s*(BEGIN|COMMIT|ROLLBACK TO|ROLLBACK|SAVEPOINT|RELEASE)\\b(?: SAVEPOINT)?\\s*(\\S*).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Before it is sent. */
    static void sent(BaseConnection connection, String sql) throws SQLException {
      var found = WORDS.matcher(sql);
      var word = found.matches() ? found.group(1).toUpperCase() : "";
      var idle = connection.getTransactionState() == TransactionState.IDLE;
      if (idle && !connection.getAutoCommit() && !word.equals("COMMIT") && !word.equals("ROLLBACK")) {
        look(connection);
        note("BEGIN", connection, null);
      } else if (idle && word.isEmpty()) note("statement", connection, null);
      if (word.equals("ROLLBACK TO") || !idle && (word.equals("COMMIT") || word.equals("ROLLBACK"))) look(connection);
      if (!word.isEmpty() && !(idle && (word.equals("COMMIT") || word.equals("ROLLBACK")))) note(word, connection, found.group(2));
    }
  }

  /** Connections whose calls are watched. */
  static class Pool extends org.springframework.jdbc.datasource.AbstractDataSource {
    static final Deque<Connection> IDLE = new ConcurrentLinkedDeque<>();

    static final Set<Connection> TAKEN = new HashSet<>();

    /** What a program has left open. */
    static void clear() throws SQLException {
      org.springframework.transaction.support.TransactionSynchronizationManager.clear();
      for (var left : TAKEN) left.close();
      TAKEN.clear();
    }

    static Connection open() throws SQLException {
      return DriverManager.getConnection("jdbc:postgresql://" + job.get("address") + "/shop?user=postgres&options=-c%20lock_timeout=100");
    }

    public Connection getConnection() throws SQLException {
      var real = IDLE.isEmpty() ? open() : IDLE.pop();
      TAKEN.add(real);
      return watched(Connection.class, real, real.unwrap(BaseConnection.class), null);
    }

    public Connection getConnection(String user, String password) throws SQLException { return getConnection(); }

    @SuppressWarnings("unchecked")
    static <T> T watched(Class<T> type, T real, BaseConnection connection, String prepared) {
      return (T) Proxy.newProxyInstance(Run.class.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
        var name = method.getName();
        if (name.equals("getConnection")) return watched(Connection.class, (Connection) connection, connection, null);
        if (real instanceof Connection) before(name, given, connection);
        else if (name.startsWith("execute")) Watch.sent(connection, prepared != null ? prepared : given == null ? "" : (String) given[0]);
        try {
          if (real instanceof Connection && name.equals("close")) return null;
          var result = method.invoke(real, given);
          if (result instanceof Savepoint point) Watch.note("SAVEPOINT", connection, ((PSQLSavepoint) point).getPGName());
          if (result instanceof CallableStatement made) return watched(CallableStatement.class, made, connection, (String) given[0]);
          if (result instanceof PreparedStatement made) return watched(PreparedStatement.class, made, connection, (String) given[0]);
          if (result instanceof Statement made && real instanceof Connection) return watched(Statement.class, made, connection, null);
          return result;
        } catch (InvocationTargetException caught) {
          throw caught.getCause();
        } finally {
          if (real instanceof Statement statement && name.startsWith("execute"))
            for (SQLWarning warning = statement.isClosed() ? null : statement.getWarnings(); warning != null; warning = warning.getNextWarning())
              if (warning.getMessage().equals("block")) Watch.note("BLOCK", connection, null);
        }
      });
    }

    static void before(String name, Object[] given, BaseConnection connection) throws SQLException {
      var idle = connection.getTransactionState() == TransactionState.IDLE;
      switch (name) {
        case "setAutoCommit" -> {
          if (!idle && (boolean) given[0]) Watch.sent(connection, "COMMIT");
          if (connection.getAutoCommit() && !(boolean) given[0]) Watch.note("begin", connection, null);
        }
        case "setSavepoint" -> { if (idle) Watch.sent(connection, ""); }
        case "releaseSavepoint" -> Watch.note("RELEASE", connection, ((PSQLSavepoint) given[0]).getPGName());
        case "commit" -> Watch.sent(connection, "COMMIT");
        case "rollback" -> Watch.sent(connection, given == null ? "ROLLBACK" : "ROLLBACK TO " + ((PSQLSavepoint) given[0]).getPGName());
        case "close" -> {
          // One that is closed again is somebody else's by then.
          if (!TAKEN.remove(connection)) return;
          if (!idle) {
            Watch.sent(connection, "ROLLBACK");
            connection.rollback();
          }
          connection.setAutoCommit(true);
          IDLE.push(connection);
        }
        default -> {}
      }
    }
  }
}
