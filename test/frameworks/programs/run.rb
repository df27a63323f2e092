# Runs generated programs on the real ActiveRecord or Sequel and says what was sent to the server, and from which lines.
# Its lines are those of run.py; it knows nothing of the analyser.
require "json"
require "logger" # which ActiveSupport takes for granted
require "securerandom"
require "pg"
require "active_support/all"

JOB = JSON.parse($stdin.gets)
WORDS = /\A\s*(BEGIN|COMMIT|ROLLBACK TO|ROLLBACK|SAVEPOINT|RELEASE)\b(?: SAVEPOINT)?\s*(\S*)/i

module Watch
  class << self
    attr_accessor :events, :lines, :control, :opening

    def stack
      caller_locations.select { |one| one.path.start_with?("app/") }.map { |one| "#{one.path}:#{one.lineno}" }
    end

    def note(event, pid, **more)
      events << { do: event, at: opening || stack, pid: pid, **more } if events
    end

    def sent(connection, sql)
      return if events.nil? || connection.equal?(control)

      word, name = WORDS.match(sql)&.captures
      word = word&.upcase
      pid = connection.backend_pid
      idle = connection.transaction_status == PG::PQTRANS_IDLE
      look(pid) if word == "BEGIN" || (%w[COMMIT ROLLBACK].include?(word) || word == "ROLLBACK TO") && !idle
      if word
        note("begin", pid) if word == "BEGIN"
        note(word, pid, name: name.delete('"'))
      elsif idle
        note("statement", pid)
      end
    end

    def look(pid)
      slots, overflowed, locks, multi = control.exec(JOB["probe"].gsub("PID", pid.to_s)).values.first
      events << { do: "look", at: [], pid: pid, slots: slots.to_i, overflowed: overflowed == "t", locks: locks.to_i, multi: multi.to_i }
    end
  end
end

module Sent
  %i[async_exec exec query exec_params async_exec_params].each do |method|
    define_method(method) do |sql, *rest, &block|
      Watch.sent(self, sql)
      super(sql, *rest, &block)
    end
  end
end
PG::Connection.prepend(Sent)

at = { host: JOB["socket"], database: "shop" }
Watch.control = PG.connect(host: JOB["socket"], user: "postgres", dbname: "shop")

def noticed(raw)
  raw.set_notice_processor { |message| Watch.note("BLOCK", raw.backend_pid) if message.include?("block") }
end

if JOB["framework"] == "sequel"
  require "sequel"
  DB = Sequel.connect(adapter: "postgres", user: "postgres", max_connections: 1, **at)
  CONNECTED = -> { DB.synchronize { |raw| noticed(raw) } }
  LEFT = -> { DB.disconnect if DB.in_transaction? }
else
  require_relative "active"
  ActiveRecord::Base.establish_connection(adapter: "postgresql", username: "postgres", prepared_statements: false, min_messages: "notice", **at)
  # Asked for by its method, transactions would no longer wait for their first statement.
  CONNECTED = -> { noticed(ActiveRecord::Base.connection.instance_variable_get(:@connection)) }
  LEFT = -> { ActiveRecord::Base.connection.reconnect! if ActiveRecord::Base.connection.open_transactions.positive? }
end

before = nil
done = lambda do |id, error|
  puts JSON.generate(id: id, events: Watch.events || [], lines: Watch.lines&.keys || [], error: error)
  $stdout.flush
end
while (line = $stdin.gets)
  program = JSON.parse(line)
  files = program["files"].select { |file, _| file.end_with?(".rb") }
  if before.nil?
    files.each { |file, text| eval(text, TOPLEVEL_BINDING, file) if file.start_with?("app/models/") } # application_record comes first
    [Item, Fired, Tag, Noted].each(&:columns)
    before = Object.constants
  end
  (Object.constants - before).each { |name| Object.send(:remove_const, name) }
  Watch.events = Watch.lines = nil
  begin
    files.each { |file, text| eval(text, TOPLEVEL_BINDING, file) unless file.start_with?("app/models/") }
  rescue SyntaxError => refused
    # Ruby 3.1 finds no fault with `return if true` in an `ensure`, and cannot compile what stands around it.
    kind = refused.message.include?("stack underflow") ? "Uncompiled" : refused.class
    done.call(program["id"], "#{kind}: #{refused.message}")
    next
  end
  Watch.control.exec(JOB["reset"])
  CONNECTED.call
  Watch.events, Watch.lines, error = [], {}, nil
  trace = TracePoint.new(:line) { |point| Watch.lines["#{point.path}:#{point.lineno}"] = true if point.path.start_with?("app/") }
  begin
    trace.enable { Run.run }
  rescue Exception => caught # rubocop:disable Lint/RescueException
    error = "#{caught.class}: #{caught.message}"
  end
  LEFT.call
  done.call(program["id"], error)
end
