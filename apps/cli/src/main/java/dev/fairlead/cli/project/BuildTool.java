package dev.fairlead.cli.project;

import java.util.List;
import java.util.Locale;

/** The programs that build a new project. */
public enum BuildTool {
    MAVEN("mvn package", "mvn test", "target") {
        @Override
        List<TemplateFile> files(ProjectKind kind) {
            String pom = kind == ProjectKind.SPRING ? "maven/spring-pom.xml" : "maven/pom.xml";
            return List.of(new TemplateFile(pom, "pom.xml"));
        }
    },

    GRADLE("gradle build", "gradle test", "build/libs") {
        @Override
        List<TemplateFile> files(ProjectKind kind) {
            String build =
                    kind == ProjectKind.SPRING
                            ? "gradle/spring.gradle.kts"
                            : "gradle/build.gradle.kts";
            return List.of(
                    new TemplateFile(build, "build.gradle.kts"),
                    TemplateFile.top("gradle", "settings.gradle.kts"));
        }
    };

    private final String build;
    private final String test;
    private final String target;

    BuildTool(String build, String test, String target) {
        this.build = build;
        this.test = test;
        this.target = target;
    }

    /** The files that describe the build. */
    abstract List<TemplateFile> files(ProjectKind kind);

    /** The command that runs the tests and makes the jar. */
    public String build() {
        return build;
    }

    /** The command that runs the tests. */
    String test() {
        return test;
    }

    /** The jar with everything, from the folder of the project on. */
    String jar(String name) {
        return target + "/" + name + ".jar";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
