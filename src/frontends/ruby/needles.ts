// The words without one of which a Ruby file opens, locks, writes and declares nothing that matters by itself.
import { handedOver } from '../settings/entries.ts';

export const needles = [
  'transaction', 'savepoint', 'SAVEPOINT', 'requires_new', 'with_lock', '.lock', 'lock!', 'for_update', 'joinable',
  'or_find_by', 'or_create_by', 'before_save', 'after_save', 'before_create', 'after_create', 'before_update',
  'after_update', 'before_destroy', 'after_destroy', 'around_', 'Record', 'ActiveRecord::', 'Sequel', 'execute',
  'exec_', 'find_each', 'in_batches', 'add_foreign_key', 'foreign_key:', 'event_store', 'EventStore', 'perform_', 'GoodJob', 'aasm', ...handedOver,
]; // biome-ignore format: words
