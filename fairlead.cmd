@echo off
rem Starts Fairlead's programs on Windows, as the script "fairlead" does on Linux and macOS: the same commands, without
rem benchmarks and soak. It builds them once; delete target\launcher\windows after a change of the sources.
rem It has been run under Wine, but not on Windows. Each line ends with CR and LF, without which cmd can miss a label.
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0"
set "built=%root%target\launcher\windows"
call "%root%tools\find-jdk.cmd"
if errorlevel 1 exit /b 1

if "%~1"=="benchmark" goto :unsupported
if "%~1"=="soak" goto :unsupported
if exist "%built%\built" goto :built
call :build
if errorlevel 1 exit /b 1
:built

set "main=dev.fairlead.cli.Main"
if "%~1"=="serve" set "main=dev.fairlead.showcase.Serve"
if "%~1"=="example" set "main=dev.fairlead.examples.Examples"
if "%~1"=="conformance-client" set "main=dev.fairlead.showcase.ConformanceClient"
rem No quotes around the arguments: those within protect their special characters.
set arguments=%*
if not defined arguments set "arguments=--help"
if "%~1"=="serve" set arguments=%arguments:*serve=%
if "%~1"=="example" set arguments=%arguments:*example=%
if "%~1"=="conformance-client" set arguments=%arguments:*conformance-client=%
goto :run

:unsupported
echo fairlead: %~1 does not run on Windows 1>&2
exit /b 64

:build
where mvn >nul 2>&1
if errorlevel 1 goto :no_maven
echo fairlead: building, this takes a moment 1>&2
call mvn -q -B -Dstyle.color=never -f "%root%pom.xml" -Dquick -Dmaven.test.skip=true -pl apps/showcase,apps/examples,apps/cli -am package 1>&2
if errorlevel 1 goto :not_built
if exist "%built%" rmdir /s /q "%built%"
mkdir "%built%"
rem The archives of the three programs and of what they need, whose paths the build has written to runtime.classpath.
powershell -NoProfile -Command "$ErrorActionPreference = 'Stop'; foreach ($module in 'showcase', 'examples', 'cli') { $quick = Join-Path $env:root ('apps\' + $module + '\target\quick'); Copy-Item ($quick + '\fairlead-*-SNAPSHOT.jar') $env:built; (Get-Content -Raw ($quick + '\runtime.classpath')).Trim().Split(';') | Copy-Item -Destination $env:built }"
if errorlevel 1 goto :not_copied
type nul > "%built%\built"
exit /b 0

rem No parentheses around these lines: a folder such as "Program Files (x86)" would end them.
:no_maven
echo fairlead: Maven is needed to build the programs: mvn is not on the path 1>&2
exit /b 1
:not_built
echo fairlead: the build failed 1>&2
exit /b 1
:not_copied
echo fairlead: the archives could not be copied to "%built%" 1>&2
exit /b 1

rem The last line, so that its status is that of this script.
:run
"%java%" --enable-native-access=ALL-UNNAMED -cp "%built%\*" %main% %arguments%
