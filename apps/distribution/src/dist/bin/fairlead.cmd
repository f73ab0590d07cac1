@echo off
rem Starts Fairlead on Windows with the Java of this folder, if there is one, else with one of this machine.
rem It has been run under Wine, but not on Windows. Each line ends with CR and LF, without which cmd can miss a label.
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0.."
set "java=%root%\runtime\bin\java.exe"
if exist "%java%" goto :found
call "%root%\lib\find-jdk.cmd"
if errorlevel 1 exit /b 1
:found

set "main=dev.fairlead.cli.Main"
if "%~1"=="serve" set "main=dev.fairlead.showcase.Serve"
if "%~1"=="example" set "main=dev.fairlead.examples.Examples"
rem No quotes around the arguments: those within protect their special characters.
set arguments=%*
if not defined arguments set "arguments=--help"
if "%~1"=="serve" set arguments=%arguments:*serve=%
if "%~1"=="example" set arguments=%arguments:*example=%
rem The last line, so that its status is that of this script.
"%java%" --enable-native-access=ALL-UNNAMED -cp "%root%\lib\*" %main% %arguments%
