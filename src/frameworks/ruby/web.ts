// Web libraries of Ruby: whose methods answer requests, and which words of a class body take a block that does. No database.
import { framework } from '../../framework.ts';

export default framework({
  name: 'ruby web',
  language: 'ruby',
  packages: [],
  needles: [],
  entries: {
    'ActionController::Base': 'request',
    'ActionController::API': 'request',
    ApplicationController: 'request',
  },
  called: {
    Controller: { is: 'request', own: true },
    Mailer: { is: 'mailer' },
    TestCase: { is: 'test' },
    '::Test': { is: 'test' },
    IntegrationTest: { is: 'test' },
  },
  declares: {
    'around actions': 'before_action around_action prepend_before_action',
    'not around actions': 'skip_around_action',
  },
  // Sinatra and Grape, Roda, ActiveAdmin.
  routes:
    `get post put patch delete head options route hash_branch hash_path member_action collection_action page_action batch_action
    action`.split(/\s+/),
  rowless: ['ActionController', 'ActionMailer', 'ActionCable', 'Grape', 'Thor', 'RSpec', 'Minitest'],
});
