package dev.fairlead.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.GeneralCodingRules;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The boundaries of {@code docs/architecture.md} §2; each exception stands beside its reason. */
class ModuleBoundariesTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(location -> !location.contains("/test-classes/"))
                    .importPackages("dev.fairlead");

    private static final Set<String> EXPORTED = exportedPackages();

    @Test
    void everyClassBelongsToAModule() {
        assertThat(CLASSES).isNotEmpty().allMatch(type -> Module.of(type).isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void aModuleKnowsOnlyModulesAboveIt(Module module) {
        Set<Module> known = module.mayKnow();

        assertThat(classesOf(module).flatMap(type -> type.getDirectDependenciesFromSelf().stream()))
                .allMatch(
                        dependency ->
                                Module.of(dependency.getTargetClass())
                                        .map(known::contains)
                                        .orElse(true));
    }

    @Test
    void applicationsUseOnlyWhatLibrariesExportToEveryone() {
        assertThat(Module.APPLICATIONS.stream().flatMap(ModuleBoundariesTest::classesOf))
                .flatMap(JavaClass::getDirectDependenciesFromSelf)
                .filteredOn(dependency -> !measuresTheEngine(dependency))
                .filteredOn(dependency -> !keepsFilesOfTheUser(dependency))
                .allMatch(
                        dependency ->
                                Module.of(dependency.getTargetClass())
                                        .filter(module -> !Module.APPLICATIONS.contains(module))
                                        .map(module -> exported(dependency.getTargetClass()))
                                        .orElse(true));
    }

    /**
     * The seal of request states, the clock that it is opened with, and the count of threads that
     * read and were replaced.
     */
    private static final Set<String> MEASURED =
            Set.of(
                    Module.SERVER.packageName() + ".requeststate",
                    Module.PROTOCOL.packageName() + ".relay",
                    Module.PROTOCOL.packageName() + ".time");

    /** Returns whether benchmarks measure a class of the engine without a wire around it. */
    private static boolean measuresTheEngine(Dependency dependency) {
        return Module.of(dependency.getOriginClass()).filter(Module.BENCHMARKS::equals).isPresent()
                && MEASURED.contains(dependency.getTargetClass().getPackageName());
    }

    /** The program and the store of logins keep files of the same user, by the same code. */
    private static boolean keepsFilesOfTheUser(Dependency dependency) {
        return Module.of(dependency.getOriginClass()).filter(Module.CLI::equals).isPresent()
                && dependency
                        .getTargetClass()
                        .getName()
                        .equals(Module.PROTOCOL.packageName() + ".platform.UserFiles");
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.fairlead.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** The parts of a client, each of which may know those before it. */
    private static final List<String> PARTS_OF_CLIENTS =
            List.of(
                    "dev.fairlead.client.internal",
                    "dev.fairlead.client.changes",
                    "dev.fairlead.client.link",
                    "dev.fairlead.client.tasks",
                    "dev.fairlead.client.handlers",
                    "dev.fairlead.client.calls");

    @Test
    void noPartOfAClientKnowsAPartAboveItOrThePublicApi() {
        for (String part : PARTS_OF_CLIENTS) {
            int next = PARTS_OF_CLIENTS.indexOf(part) + 1;
            Stream<String> above = PARTS_OF_CLIENTS.stream().skip(next);
            Stream<String> api = Stream.of("dev.fairlead.client", "dev.fairlead.client.group");
            noClasses()
                    .that()
                    .resideInAPackage(part)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(Stream.concat(above, api).toArray(String[]::new))
                    .check(CLASSES);
        }
    }

    /** Settings name the revisions that a client speaks, and links agree on one. */
    @Test
    void theEraOfAServerIsDecidedByLinksAlone() {
        noClasses()
                .that()
                .resideInAPackage("dev.fairlead.client..")
                .and()
                .resideOutsideOfPackages("dev.fairlead.client.link", "dev.fairlead.client.internal")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.fairlead.protocol.Era")
                .check(CLASSES);
    }

    /** Checks that a name stands for one class where server and client meet. */
    @Test
    void noTopLevelClassHasTheNameOfAnotherOne() {
        List<String> names =
                Stream.of(Module.PEER, Module.SERVER, Module.CLIENT, Module.TASKS)
                        .flatMap(ModuleBoundariesTest::classesOf)
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::getSimpleName)
                        .filter(name -> !name.equals("package-info"))
                        .toList();
        assertThat(names).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
                // Has no dependency at all, and no reference either.
                .filteredOn(part -> !part.getName().equals(Module.REQUIREMENTS.packageName()))
                .allMatch(ModuleBoundariesTest::isNullMarked);
    }

    @Test
    void onlyJsonSeesTheJsonLibraries() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.fairlead.json..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson..", "com.fasterxml..", "com.networknt..")
                .check(CLASSES);
    }

    /** An example is an application, which has the SDK. */
    @Test
    void nothingOfOpenTelemetryIsInTheCore() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.fairlead.opentelemetry..", "dev.fairlead.examples..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(CLASSES);
    }

    @Test
    void onlyTheAdapterSeesJetty() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.fairlead.http.jetty..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.eclipse.jetty..")
                .check(CLASSES);
    }

    @Test
    void onlyAuthorizationSeesItsLibraries() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.fairlead.auth..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.nimbusds..", "net.minidev..")
                .check(CLASSES);
    }

    @Test
    void exportedSignaturesNameNoThirdParty() {
        assertThat(CLASSES.stream())
                .filteredOn(ModuleBoundariesTest::exported)
                .filteredOn(ModuleBoundariesTest::visible)
                .flatMap(JavaClass::getMembers)
                .filteredOn(ModuleBoundariesTest::visible)
                .allMatch(
                        member ->
                                typesOf(member)
                                        .map(type -> type.getBaseComponentType())
                                        .allMatch(
                                                type ->
                                                        type.isPrimitive()
                                                                || isPlatform(type)
                                                                || isBridged(member, type)
                                                                || Module.of(type).isPresent()));
    }

    @Test
    void exportedSignaturesNameOnlyWhatIsExportedToEveryone() {
        assertThat(CLASSES.stream())
                .filteredOn(ModuleBoundariesTest::exported)
                .filteredOn(ModuleBoundariesTest::visible)
                .flatMap(JavaClass::getMembers)
                .filteredOn(ModuleBoundariesTest::visible)
                .filteredOn(
                        member ->
                                typesOf(member)
                                        .map(type -> type.getBaseComponentType())
                                        .filter(type -> Module.of(type).isPresent())
                                        .anyMatch(type -> !exported(type)))
                .isEmpty();
    }

    private static boolean isPlatform(JavaClass type) {
        return type.getPackageName().startsWith("java.")
                || Set.of("javax.sql", "javax.net.ssl").contains(type.getPackageName());
    }

    @Test
    void librariesLogThroughSystemLogger() {
        noClasses()
                .that()
                // It shows the records of others, and logs nothing.
                .haveNameNotMatching("dev\\.fairlead\\.console\\.watch\\.LogView.*")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.util.logging..", "org.slf4j..")
                                // Which handlers of an application get, and no library logs by.
                                .and(not(name("org.slf4j.MDC"))))
                .check(libraries());
    }

    @Test
    void librariesLeaveTheStandardStreamsAlone() {
        GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS
                .because("standard output belongs to the protocol, and logs go to System.Logger")
                .check(
                        libraries()
                                // Speaks MCP on the standard streams and redirects System.out.
                                .that(outside(Module.STDIO)));
    }

    private static JavaClasses libraries() {
        return CLASSES.that(outside(Module.APPLICATIONS.toArray(Module[]::new)))
                // Test support reads the log lines of libraries.
                .that(outside(Module.TEST_SUPPORT));
    }

    private static DescribedPredicate<JavaClass> outside(Module... modules) {
        return DescribedPredicate.describe(
                "outside of " + Set.of(modules),
                type ->
                        Module.of(type)
                                .map(module -> !Set.of(modules).contains(module))
                                .orElse(true));
    }

    private static Stream<JavaClass> classesOf(Module module) {
        return CLASSES.stream().filter(type -> Module.of(type).filter(module::equals).isPresent());
    }

    private static boolean isNullMarked(JavaPackage part) {
        return part.tryGetPackageInfo()
                .filter(info -> info.isAnnotatedWith(NullMarked.class))
                .isPresent();
    }

    /** Returns whether a module exists for this type: servlets, OpenTelemetry. */
    private static boolean isBridged(JavaMember member, JavaClass type) {
        String bridged =
                switch (Module.of(member.getOwner()).orElseThrow()) {
                    case SERVLET -> "jakarta.servlet";
                    case OPENTELEMETRY -> "io.opentelemetry.api";
                    default -> null;
                };
        return bridged != null && type.getPackageName().startsWith(bridged);
    }

    private static boolean exported(JavaClass type) {
        return EXPORTED.contains(type.getPackageName());
    }

    private static boolean visible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ModuleBoundariesTest::visible).orElse(true);
    }

    private static boolean visible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> typesOf(JavaMember member) {
        return member instanceof JavaCodeUnit unit
                ? Stream.concat(
                        unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                : member.getAllInvolvedRawTypes().stream();
    }

    /** The archive or folder of classes that a class was read from. */
    private static Path root(URI source) {
        String text = source.toString();
        String root =
                text.startsWith("jar:")
                        ? text.substring("jar:".length(), text.indexOf("!/"))
                        : text.substring(0, text.indexOf("/dev/fairlead/") + 1);
        return Path.of(URI.create(root));
    }

    /** The packages that the descriptors on the class path export to everyone. */
    private static Set<String> exportedPackages() {
        return CLASSES.stream()
                .map(type -> type.getSource().orElseThrow().getUri())
                .map(ModuleBoundariesTest::root)
                .distinct()
                .flatMap(root -> ModuleFinder.of(root).findAll().stream())
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .filter(name -> name.startsWith("dev.fairlead."))
                .collect(Collectors.toSet());
    }
}
