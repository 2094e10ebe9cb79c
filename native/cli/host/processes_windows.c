/* processes_windows.c - see processes.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "cli/host/processes.h"

#include <windows.h>

#include <psapi.h>
#include <stdio.h>

enum { TIME_TO_END = 5000 }; /* milliseconds that the program has to end after its window was closed */

static uint64_t number_of(FILETIME time)
{
	return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

uint32_t cli_process_place(void)
{
	wchar_t name[MAX_COMPUTERNAME_LENGTH + 1];
	DWORD length = MAX_COMPUTERNAME_LENGTH + 1;
	uint32_t place = 0x811c9dc5u;
	if (!GetComputerNameW(name, &length)) return place;
	for (DWORD i = 0; i < length; i++) place = (place ^ name[i]) * 0x01000193u;
	return place;
}

unsigned long cli_process_number(void)
{
	return GetCurrentProcessId();
}

/* True only if no process has this number. A process of another user cannot be opened, but it exists. */
bool cli_process_ended(unsigned long process)
{
	HANDLE handle = process ? OpenProcess(SYNCHRONIZE, FALSE, process) : NULL;
	if (!handle) return process && GetLastError() == ERROR_INVALID_PARAMETER;
	bool ended = WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
	CloseHandle(handle);
	return ended;
}

static uint64_t moment_of(HANDLE process)
{
	FILETIME began, ended, kernel, user;
	return GetProcessTimes(process, &began, &ended, &kernel, &user) ? number_of(began) : 0;
}

uint64_t cli_process_began(void)
{
	return moment_of(GetCurrentProcess());
}

/* If the process belongs to another user, its start is unknown, so it is assumed to be the same process. */
bool cli_process_runs(unsigned long process, uint64_t began)
{
	if (cli_process_ended(process)) return false;
	HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process);
	if (!handle) return true;
	bool same = moment_of(handle) == began;
	CloseHandle(handle);
	return same;
}

/* ---- This process ------------------------------------------------------------------------------------------ */

bool cli_process_used(double *seconds, uint64_t *peak_memory)
{
	FILETIME began, ended, kernel, user;
	PROCESS_MEMORY_COUNTERS memory = { .cb = sizeof memory };
	if (!GetProcessTimes(GetCurrentProcess(), &began, &ended, &kernel, &user)) return false;
	if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory)) return false;
	*seconds = 1e-7 * (double)(number_of(kernel) + number_of(user));
	*peak_memory = memory.PeakWorkingSetSize;
	return true;
}

uint32_t cli_processor_count(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return info.dwNumberOfProcessors ? info.dwNumberOfProcessors : 1;
}

void cli_write_time(char out[CLI_TIME_TEXT])
{
	SYSTEMTIME now;
	GetSystemTime(&now);
	snprintf(out, CLI_TIME_TEXT, "%04u-%02u-%02uT%02u:%02u:%02uZ", now.wYear % 10000u, now.wMonth % 100u,
	         now.wDay % 100u, now.wHour % 100u, now.wMinute % 100u, now.wSecond % 100u);
}

static volatile LONG told_to_end;

/* The system calls this in a new thread to request the end of the program. If the window was closed or the user logged
 * off, the system ends the process when this function returns. So it waits. */
static BOOL WINAPI note_end(DWORD event)
{
	InterlockedExchange(&told_to_end, 1);
	if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(TIME_TO_END);
	return TRUE;
}

void cli_watch_for_end(void)
{
	SetConsoleCtrlHandler(note_end, TRUE);
}

bool cli_is_told_to_end(void)
{
	return InterlockedCompareExchange(&told_to_end, 0, 0) != 0;
}
