# Tells from which lines the levels of the real ActiveRecord were asked for, which sends them later. run.rb takes it in.
require "active_record"

# A transaction is begun, and a savepoint sent, by the first statement inside: where it was asked for is remembered.
module Opened
  def initialize(...)
    @opened_at = Watch.stack
    super
  end

  def materialize!
    Watch.opening = @opened_at
    super
  ensure
    Watch.opening = nil
  end
end
ActiveRecord::ConnectionAdapters::SavepointTransaction.prepend(Opened)
ActiveRecord::ConnectionAdapters::RealTransaction.prepend(Opened)
ActiveSupport::Deprecation.silenced = true
