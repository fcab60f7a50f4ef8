/* Windows host for tests: starts a program with the pipes that a GUI creates, in a console that both share.

   host.exe PROGRAM [ARGUMENT...]   passes its standard input to the program, and the program's output on
   host.exe --wait                  only waits for twenty seconds
   host.exe --fault                 ends by an invalid memory access

   Lines of the input that begin with '!' are commands:

   !ctrl-c         presses Ctrl-C in the console
   !close-input    closes the standard input of the program
   !close-output   closes the read end of its standard output, after the next bytes have been read
   !stop-reading   reads no more of its output

   At the end of the program the host prints "!exit STATUS" and ends.

   x86_64-w64-mingw32-gcc -municode -o host.exe host.c */

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

enum { LINE_BYTES = 4096, COMMAND_LENGTH = 4096 };

static const DWORD WAIT_MILLISECONDS = 20000;

static HANDLE program, input_end, output_end, reader;
static volatile LONG is_reading = TRUE, is_closing = FALSE;

static void fail(const char *what)
{
    printf("!failed %s: error %lu\n", what, GetLastError());
    fflush(stdout);
    ExitProcess(1);
}

/* Keeps the host itself alive when Ctrl-C is pressed. */
static BOOL WINAPI ignore(DWORD event)
{
    (void)event;
    return TRUE;
}

static DWORD WINAPI copy_output(void *unused)
{
    char bytes[LINE_BYTES];
    DWORD count;
    (void)unused;
    while (is_reading && ReadFile(output_end, bytes, sizeof bytes, &count, NULL)) {
        fwrite(bytes, 1, count, stdout);
        fflush(stdout);
        if (is_closing) {
            CloseHandle(output_end);
            break;
        }
    }
    return 0;
}

static DWORD WINAPI wait_for_end(void *unused)
{
    DWORD status;
    (void)unused;
    WaitForSingleObject(program, INFINITE);
    /* The rest of the output comes before the status. */
    WaitForSingleObject(reader, 2000);
    GetExitCodeProcess(program, &status);
    printf("!exit %lu\n", status);
    fflush(stdout);
    ExitProcess(0);
}

/* Creates a pipe of which the program inherits one end. */
static void create_pipe(HANDLE *read_end, HANDLE *write_end, HANDLE *kept)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    if (!CreatePipe(read_end, write_end, &inherited, 0))
        fail("CreatePipe");
    if (!SetHandleInformation(*kept, HANDLE_FLAG_INHERIT, 0))
        fail("SetHandleInformation");
}

static void start(int count, wchar_t **words)
{
    wchar_t command[COMMAND_LENGTH] = L"";
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    for (int i = 0; i < count; i++) {
        wcscat(command, i > 0 ? L" \"" : L"\"");
        wcscat(command, words[i]);
        wcscat(command, L"\"");
    }
    create_pipe(&startup.hStdInput, &input_end, &input_end);
    create_pipe(&output_end, &startup.hStdOutput, &output_end);
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdError = startup.hStdOutput;
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process))
        fail("CreateProcess");
    CloseHandle(startup.hStdInput);
    CloseHandle(startup.hStdOutput);
    program = process.hProcess;
}

/* Carries out a line of the input. */
static void handle(const char *line)
{
    DWORD written;
    if (line[0] != '!')
        WriteFile(input_end, line, (DWORD)strlen(line), &written, NULL);
    else if (!strcmp(line, "!ctrl-c\n") && !GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0))
        fail("GenerateConsoleCtrlEvent");
    else if (!strcmp(line, "!close-input\n"))
        CloseHandle(input_end);
    else if (!strcmp(line, "!close-output\n"))
        is_closing = TRUE;
    else if (!strcmp(line, "!stop-reading\n"))
        is_reading = FALSE;
}

int wmain(int count, wchar_t **words)
{
    char line[LINE_BYTES];
    if (count == 2 && !wcscmp(words[1], L"--wait")) {
        puts("waiting");
        fflush(stdout);
        Sleep(WAIT_MILLISECONDS);
        return 0;
    }
    if (count == 2 && !wcscmp(words[1], L"--fault"))
        *(volatile int *)NULL = 0;
    /* Wine can give a program without a terminal a console that has no server. */
    if (GetConsoleCP() == 0) {
        FreeConsole();
        if (!AllocConsole())
            fail("AllocConsole");
    }
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    start(count - 1, words + 1);
    /* After the start: the program would inherit that Ctrl-C is ignored, but not a handler. */
    if (!SetConsoleCtrlHandler(ignore, TRUE))
        fail("SetConsoleCtrlHandler");
    reader = CreateThread(NULL, 0, copy_output, NULL, 0, NULL);
    CreateThread(NULL, 0, wait_for_end, NULL, 0, NULL);
    while (fgets(line, sizeof line, stdin))
        handle(line);
    CloseHandle(input_end);
    Sleep(INFINITE);
    return 0;
}
