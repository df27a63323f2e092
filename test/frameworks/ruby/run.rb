# Runs the blocks of a page with the real library, each in a process of its own; the server's log tells what was sent.
require "json"
require "logger" # which ActiveSupport takes for granted

library, socket, file = ARGV
blocks = JSON.parse(File.read(file))

def connect(library, socket)
  if library != "sequel"
    require "active_record"
    ActiveRecord::Base.establish_connection(adapter: "postgresql", host: socket, username: "postgres", database: "postgres")
    Object.class_eval "class ApplicationRecord < ActiveRecord::Base; self.abstract_class = true; end"
    ->(sql) { ActiveRecord::Base.connection.execute(sql) }
  else
    require "sequel"
    db = Sequel.connect(adapter: "postgres", host: socket, user: "postgres", database: "postgres")
    Object.const_set(:DB, db)
    ->(sql) { db.run(sql) }
  end
end

# The multixacts up to here stand in the server's log beside what it was sent.
def mark(execute, what)
  execute.call("CHECKPOINT")
  execute.call("DO $$ BEGIN RAISE LOG '#{what} at %', (SELECT next_multixact_id FROM pg_control_checkpoint()); END $$")
end

require library == "sequel" ? "sequel" : "active_record"
puts "version #{library == "sequel" ? Sequel::VERSION : ActiveRecord::VERSION::STRING}"
$stdout.flush

blocks.each do |block|
  pid = fork do
    execute = connect(library, socket)
    execute.call("DROP SCHEMA public CASCADE; CREATE SCHEMA public; #{block["tables"]}")
    mark(execute, "begin #{block["id"]}")
    TOPLEVEL_BINDING.eval(block["code"])
  rescue Exception => error # rubocop:disable Lint/RescueException
    puts "#{block["id"]} failed: #{error.class}: #{error.message}"
  ensure
    mark(execute, "end #{block["id"]}") if execute
    $stdout.flush
    exit!(0)
  end
  Process.wait(pid)
end
