package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The coordinates in build files of the documentation are those of this build. The script {@code
 * .ci/samples} builds the Maven projects; of the Gradle snippets only this is checked.
 */
final class CoordinatesTest {
    private static final List<String> PAGES =
            List.of("README.md", "docs/spring-boot.md", "docs/annotations.md");
    private static final Pattern GRADLE =
            Pattern.compile("\"dev\\.fairlead:([a-z-]+):\\$fairleadVersion\"");
    private static final Pattern MAVEN =
            Pattern.compile("<groupId>dev\\.fairlead</groupId>\\s*<artifactId>([a-z-]+)<");
    private static final Pattern GROUP = Pattern.compile("<groupId>([^<]+)<");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)<");
    private static final Pattern VERSION =
            Pattern.compile("(?:<fairlead\\.version>|fairleadVersion = \")([^<\"]+)[<\"]");

    private static String read(String page) throws IOException {
        return Pages.text(page);
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static String first(String pattern, String text) {
        MatchResult found =
                Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow();
        return found.group(1);
    }

    @Test
    void everyArtifactIsOneOfTheBom() throws IOException {
        Set<String> published = all(MAVEN, read("kit/bom/pom.xml"));
        assertThat(published).contains("fairlead", "fairlead-processor");
        published.add("fairlead-bom");
        for (String page : PAGES) {
            assertThat(all(MAVEN, read(page))).as(page).isNotEmpty().isSubsetOf(published);
            assertThat(all(GRADLE, read(page))).as(page).isSubsetOf(published);
        }
        assertThat(all(GRADLE, read("README.md"))).contains("fairlead", "fairlead-processor");
    }

    @Test
    void theBomManagesOnlyWhatIsPublishedHere() throws IOException {
        String bom = read("kit/bom/pom.xml");
        assertThat(bom).doesNotContain("<parent>");
        assertThat(all(GROUP, bom)).containsExactly("dev.fairlead");
    }

    /** Maven takes the nearest version, which those of the parent are not for an application. */
    @Test
    void artifactsWhoseLibrariesDisagreeNameTheirSlf4j() throws IOException {
        for (String module :
                List.of("transports/http-jetty", "extensions/jdbc", "extensions/auth")) {
            assertThat(read(module + "/pom.xml"))
                    .as(module)
                    .contains("<artifactId>slf4j-api</artifactId>");
        }
    }

    @Test
    void theCommandOfTheReadmeInstallsTheBom() throws IOException {
        Set<String> modules = all(MODULE, read("pom.xml"));
        Map<String, String> poms = new TreeMap<>();
        for (String module : modules) {
            String pom = read(module + "/pom.xml");
            poms.put(first("\n    <artifactId>([^<]+)<", pom), pom);
        }
        String command = first("mvn -q install .* -pl ([a-z/,-]+) -am", read("README.md"));
        Set<String> installed = new HashSet<>();
        for (String module : command.split(",")) {
            install(
                    first("\n    <artifactId>([^<]+)<", read(module + "/pom.xml")),
                    poms,
                    installed);
        }
        assertThat(installed).containsAll(all(MAVEN, read("kit/bom/pom.xml")));
    }

    /** Adds the modules that {@code -am} builds: each module that an installed one names. */
    private static void install(String artifact, Map<String, String> poms, Set<String> installed) {
        String pom = poms.get(artifact);
        if (pom != null && installed.add(artifact)) {
            all(MAVEN, pom.replaceAll("(?s)<dependencyManagement>.*</dependencyManagement>", ""))
                    .forEach(named -> install(named, poms, installed));
        }
    }

    /**
     * Checks the versions of JUnit and Surefire: the Surefire of older Maven versions runs no test
     * of this JUnit.
     */
    @Test
    void testsRunWithTheVersionsOfTheBuild() throws IOException {
        String parent = read("pom.xml");
        String junit = version("junit-bom", parent);
        String surefire = version("maven-surefire-plugin", parent);
        String readme = read("README.md");
        assertThat(version("junit-jupiter", readme)).isEqualTo(junit);
        assertThat(version("assertj-core", readme)).isEqualTo(version("assertj-core", parent));
        assertThat(version("maven-surefire-plugin", readme)).isEqualTo(surefire);
        assertThat(version("maven-surefire-plugin", read("docs/testing.md"))).isEqualTo(surefire);
        assertThat(readme)
                .contains(
                        "junit-bom:" + junit + "\"",
                        "assertj-core:" + version("assertj-core", parent) + "\"");
    }

    /**
     * Checks that the BOM names each published module, and that no other is published but the
     * parent and the BOM.
     */
    @Test
    void whatThisProjectPublishesIsInTheBomAndHasWhatRepositoriesAskFor() throws IOException {
        Set<String> published = all(MAVEN, read("kit/bom/pom.xml"));
        for (String module : all(MODULE, read("pom.xml"))) {
            String pom = read(module + "/pom.xml");
            String name = first("\n    <artifactId>([^<]+)<", pom);
            boolean skipped = pom.contains("<maven.deploy.skip>true</maven.deploy.skip>");
            assertThat(skipped)
                    .as(name)
                    .isNotEqualTo(published.contains(name) || name.equals("fairlead-bom"));
            assertThat(pom).as(name).contains("<name>", "<description>");
        }
        for (String pom : List.of(read("pom.xml"), read("kit/bom/pom.xml"))) {
            assertThat(pom)
                    .contains("<url>${fairlead.home}</url>", "<licenses>", "<developers>", "<scm")
                    .contains("<issueManagement>");
        }
    }

    private static String version(String artifact, String text) {
        String version =
                first("<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)<", text);
        return version.startsWith("${")
                ? property(version.substring(2, version.length() - 1), text)
                : version;
    }

    private static String property(String name, String pom) {
        return first("<" + Pattern.quote(name) + ">([^<]+)<", pom);
    }

    /** Checks the plugins that a project needs beside Surefire; fairlead new names the same. */
    @Test
    void projectsAreBuiltByThePluginsOfTheBuild() throws IOException {
        String parent = read("pom.xml");
        assertThat(version("maven-compiler-plugin", read("README.md")))
                .isEqualTo(version("maven-compiler-plugin", parent));
        assertThat(version("maven-shade-plugin", read("docs/packaging.md")))
                .isEqualTo(property("version.shade-plugin", parent));
    }

    @Test
    void everyVersionIsThatOfTheBuild() throws IOException {
        String parent = read("pom.xml");
        String own = first("<artifactId>fairlead-parent</artifactId>\\s*<version>([^<]+)<", parent);
        for (String page : PAGES) {
            assertThat(all(VERSION, read(page))).as(page).isSubsetOf(own);
        }
        assertThat(all(VERSION, read("README.md"))).containsExactly(own);
        assertThat(
                        first(
                                "<artifactId>fairlead-bom</artifactId>\\s*<version>([^<]+)<",
                                read("kit/bom/pom.xml")))
                .isEqualTo(own);
        assertThat(
                        first(
                                "spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)<",
                                read("docs/spring-boot.md")))
                .isEqualTo(first("<version\\.spring-boot>([^<]+)<", parent));
    }
}
