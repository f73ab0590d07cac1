rem Called by the scripts of this project. Sets java to the first Java 21 or newer: that of JAVA_HOME, then that of the path.
rem Ends with status 1 and a message if there is none. Its variables stay: the caller has setlocal.
if defined JAVA_HOME set "java=%JAVA_HOME:"=%\bin\java.exe"
if defined JAVA_HOME call :version
if defined JAVA_HOME if %major% geq 21 exit /b 0
rem The folders of the path alone: the current one can contain programs of others.
for %%j in (java.exe) do set "java=%%~$PATH:j"
if defined java call :version
if defined java if %major% geq 21 exit /b 0
echo fairlead: no Java 21 or newer found: set JAVA_HOME 1>&2
exit /b 1

rem Sets major to the version of %java%: that of the file "release" of its folder, else of its output; 0 without Java.
:version
set "major=0"
if not exist "%java%" exit /b 0
set "version=0"
for %%j in ("%java%") do set "release=%%~dpj..\release"
if not exist "%release%" goto :ask
for /f "usebackq tokens=1,2 delims==" %%k in ("%release%") do if "%%k"=="JAVA_VERSION" set "version=%%l"
goto :split
:ask
for /f "tokens=2,3" %%k in ('call "%java%" -version 2^>^&1') do if "%%k"=="version" set "version=%%l"
:split
for /f "delims=.-" %%m in ("%version:"=%") do set "major=%%m"
exit /b 0
