/* Test-only bcryptprimitives.dll for Wine 8, whose own one has no ProcessPrng. Windows has it since version 10.

   x86_64-w64-mingw32-gcc -shared -o bcryptprimitives.dll random_numbers.c -ladvapi32 */

#include <windows.h>

/* RtlGenRandom, which Windows exports under this name. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

/* Fills the buffer with random bytes. */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    return SystemFunction036(buffer, (ULONG)length);
}
