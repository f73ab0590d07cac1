@echo off
rem Starts Fairlead on Windows with the Java of this folder, if there is one, else with one of this machine.
rem It was reviewed, but CI does not run it.
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0.."
set "java=java.exe"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if exist "%root%\runtime\bin\java.exe" set "java=%root%\runtime\bin\java.exe"
"%java%" -version >nul 2>&1
if errorlevel 1 (
    echo fairlead: no Java found: set JAVA_HOME to a Java 21 or newer 1>&2
    exit /b 1
)

rem The words behind the first one, as they were typed.
set "command=%~1"
set "rest="
for /f "tokens=1*" %%a in ("%*") do set "rest=%%b"

set "run="%java%" --enable-native-access=ALL-UNNAMED -cp "%root%\lib\*""
if "%command%"=="serve" goto :serve
if "%command%"=="example" goto :example
if "%command%"=="" goto :help
%run% dev.fairlead.cli.Main %*
exit /b

:serve
%run% dev.fairlead.showcase.Serve %rest%
exit /b

:example
%run% dev.fairlead.examples.Examples %rest%
exit /b

:help
%run% dev.fairlead.cli.Main --help
exit /b
