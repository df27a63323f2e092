-- Neovim's own client against the server: it shows a warning, offers an action and applies it. Debian's 0.7 is enough.
-- usage: nvim --headless -u NONE -c 'luafile test/editors/neovim.lua' FILE      SUBXACT names the program
local function say(text) io.stdout:write(text .. '\n') end
local function fail(text) say('not ok ' .. text); say('0 passed, 1 failed'); vim.cmd('cq!') end

local id = vim.lsp.start_client({
  name = 'subxact',
  cmd = { 'node', os.getenv('SUBXACT'), 'lsp', '--stdio' },
  root_dir = vim.fn.getcwd(),
  workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd()), name = 'shop' } },
})
vim.lsp.buf_attach_client(0, id)
local function found() return #vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } }) end
if not vim.wait(30000, function() return found() > 0 end, 50) then fail('no diagnostics') end
local first = vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } })[1]
say(string.format('ok 1 %d:%d %s %s', first.lnum + 1, first.col + 1, first.source, first.code))

local params = vim.lsp.util.make_range_params()
params.range = { start = { line = first.lnum, character = first.col }, ['end'] = { line = first.lnum, character = first.col } }
params.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 10000)
local allow
for _, answer in pairs(answers or {}) do
  for _, action in ipairs(answer.result or {}) do
    if action.title:match('^Allow .* with a reason') then allow = action end
  end
end
if not allow or not allow.edit then fail('no action allows the finding with a reason') end
say('ok 2 ' .. allow.title)
vim.lsp.util.apply_workspace_edit(allow.edit, 'utf-16')
if not table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):match('subxact: allow') then fail('the edit was not applied') end
say('ok 3 the edit is applied')
if #vim.lsp.get_active_clients() ~= 1 then fail('the server went away') end
say('4 passed, 0 failed')
vim.cmd('qa!')
