@echo off
rem Starts Fairlead's programs on Windows, as the script "fairlead" does on Linux and macOS: the same commands, without
rem benchmarks and soak. It builds them once; delete target\launcher\windows after a change of the sources.
rem It was reviewed, but CI does not run it.
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0"
set "built=%root%target\launcher\windows"

set "java=java.exe"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
"%java%" -version >nul 2>&1
if errorlevel 1 (
    echo fairlead: no Java found: set JAVA_HOME to a JDK 21 or newer 1>&2
    exit /b 1
)

if not exist "%built%\built" call :build || exit /b 1

rem What stands behind the first word, as it was typed.
set "command=%~1"
set "rest="
for /f "tokens=1*" %%a in ("%*") do set "rest=%%b"

set "run="%java%" --enable-native-access=ALL-UNNAMED -cp "%built%\*""
if "%command%"=="serve" goto :serve
if "%command%"=="conformance-client" goto :conformance
if "%command%"=="example" goto :example
if "%command%"=="benchmark" goto :unsupported
if "%command%"=="soak" goto :unsupported
if "%command%"=="" goto :help
%run% dev.fairlead.cli.Main %*
exit /b

:serve
%run% dev.fairlead.showcase.Serve %rest%
exit /b

:conformance
%run% dev.fairlead.showcase.ConformanceClient %rest%
exit /b

:example
%run% dev.fairlead.examples.Examples %rest%
exit /b

:help
%run% dev.fairlead.cli.Main --help
exit /b

:unsupported
echo fairlead: %command% does not run on Windows 1>&2
exit /b 64

:build
where mvn >nul 2>&1
if errorlevel 1 (
    echo fairlead: Maven is needed to build the programs: mvn is not on the path 1>&2
    exit /b 1
)
echo fairlead: building, this takes a moment 1>&2
call mvn -q -B -Dstyle.color=never -f "%root%pom.xml" -Dquick -Dmaven.test.skip=true -pl apps/showcase,apps/examples,apps/cli -am package 1>&2
if errorlevel 1 (
    echo fairlead: the build failed 1>&2
    exit /b 1
)
if exist "%built%" rmdir /s /q "%built%"
mkdir "%built%"
rem The archives of the three programs and of what they need, whose paths the build has written to runtime.classpath.
powershell -NoProfile -Command "$ErrorActionPreference = 'Stop'; foreach ($module in 'showcase', 'examples', 'cli') { $quick = Join-Path $env:root ('apps\' + $module + '\target\quick'); Copy-Item ($quick + '\fairlead-*-SNAPSHOT.jar') $env:built; (Get-Content -Raw ($quick + '\runtime.classpath')).Trim().Split(';') | Copy-Item -Destination $env:built }"
if errorlevel 1 (
    echo fairlead: the archives could not be copied to %built% 1>&2
    exit /b 1
)
type nul > "%built%\built"
exit /b 0
