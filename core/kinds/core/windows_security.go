package core

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// operatingSystem checks the pod's OS and refuses what that OS does not have.
func (v *podValidator) operatingSystem(at *check.Path) {
	os := v.spec.OS
	switch {
	case os == nil:
	case os.Name == "":
		v.Required(at, "os.name", "")
	case os.Name == corev1.Linux:
		v.linuxPod(at)
	case os.Name == corev1.Windows:
		v.windowsPod(at)
	default:
		v.NotSupported(at, "os", os.Name, "linux", "windows")
	}
}

func (v *podValidator) linuxPod(at *check.Path) {
	const detail = "windows options cannot be set for a linux pod"
	if sc := v.spec.SecurityContext; sc != nil && sc.WindowsOptions != nil {
		v.Forbidden(at, "securityContext.windowsOptions", detail)
	}
	eachContainer(v.spec, func(c *corev1.Container, list string, i int) {
		if c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil {
			containers := at.Child(list)
			container := containers.Index(i)
			v.Forbidden(&container, "securityContext.windowsOptions", detail)
		}
	})
}

// windowsPod refuses Linux settings.
//
// Models pkg/apis/core/validation validateWindows.
func (v *podValidator) windowsPod(at *check.Path) {
	spec := v.spec
	forbid := func(place *check.Path, set bool, child string) {
		if set {
			v.Forbidden(place, child, "cannot be set for a windows pod")
		}
	}
	if sc := spec.SecurityContext; sc != nil {
		context := at.Child("securityContext")
		forbid(&context, sc.AppArmorProfile != nil, "appArmorProfile")
		forbid(&context, sc.SELinuxOptions != nil, "seLinuxOptions")
		forbid(&context, sc.SeccompProfile != nil, "seccompProfile")
		forbid(&context, sc.FSGroup != nil, "fsGroup")
		forbid(&context, sc.FSGroupChangePolicy != nil, "fsGroupChangePolicy")
		forbid(&context, len(sc.Sysctls) > 0, "sysctls")
		forbid(&context, sc.RunAsUser != nil, "runAsUser")
		forbid(&context, sc.RunAsGroup != nil, "runAsGroup")
		forbid(&context, sc.SupplementalGroups != nil, "supplementalGroups")
		forbid(&context, sc.SupplementalGroupsPolicy != nil, "supplementalGroupsPolicy")
		forbid(&context, sc.SELinuxChangePolicy != nil, "seLinuxChangePolicy")
	}
	forbid(at, spec.HostUsers != nil, "hostUsers")
	forbid(at, spec.HostPID, "hostPID")
	forbid(at, spec.HostIPC, "hostIPC")
	forbid(at, spec.ShareProcessNamespace != nil, "shareProcessNamespace")
	eachContainer(spec, func(c *corev1.Container, list string, i int) {
		sc := c.SecurityContext
		if sc == nil {
			return
		}
		containers := at.Child(list)
		container := containers.Index(i)
		context := container.Child("securityContext")
		forbid(&context, sc.AppArmorProfile != nil, "appArmorProfile")
		forbid(&context, sc.SELinuxOptions != nil, "seLinuxOptions")
		forbid(&context, sc.SeccompProfile != nil, "seccompProfile")
		forbid(&context, sc.Capabilities != nil, "capabilities")
		forbid(&context, sc.ReadOnlyRootFilesystem != nil, "readOnlyRootFilesystem")
		forbid(&context, sc.Privileged != nil, "privileged")
		forbid(&context, sc.AllowPrivilegeEscalation != nil, "allowPrivilegeEscalation")
		forbid(&context, sc.ProcMount != nil, "procMount")
		forbid(&context, sc.RunAsUser != nil, "runAsUser")
		forbid(&context, sc.RunAsGroup != nil, "runAsGroup")
	})
}

// windowsHostProcess checks that either all containers of a pod are host processes or none is.
//
// Models pkg/apis/core/validation validateWindowsHostProcessPod.
func (v *podValidator) windowsHostProcess(at *check.Path) {
	var ofPod *bool
	if sc := v.spec.SecurityContext; sc != nil && sc.WindowsOptions != nil {
		ofPod = sc.WindowsOptions.HostProcess
	}
	all, host := 0, 0
	eachContainer(v.spec, func(c *corev1.Container, list string, i int) {
		all++
		var own *bool
		if c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil {
			own = c.SecurityContext.WindowsOptions.HostProcess
		}
		if ofPod != nil && own != nil && *ofPod != *own {
			was := "false"
			if *ofPod {
				was = "true"
			}
			containers := at.Child(list)
			container := containers.Index(i)
			v.Invalid(&container, "securityContext.windowsOptions.hostProcess", *own, "pod hostProcess value must be identical if both are specified, was "+was)
		}
		if own == nil {
			own = ofPod
		}
		if own != nil && *own {
			host++
		}
	})
	if host == 0 {
		return
	}
	if host != all {
		v.Invalid(at, "", "", "If pod contains any hostProcess containers then all containers must be HostProcess containers")
	}
	if !v.spec.HostNetwork {
		v.Invalid(at, "hostNetwork", false, "hostNetwork must be true if pod contains any hostProcess containers")
	}
}

// Limits of Windows account names.
const (
	longestCredentialSpec = 64 * 1024
	longestUserDomain     = 256
	longestUserName       = 104
)

func (v *podValidator) windowsOptions(at *check.Path, o *corev1.WindowsSecurityContextOptions) {
	if o == nil {
		return
	}
	options := at.Child("windowsOptions")
	if name := o.GMSACredentialSpecName; name != nil {
		v.InvalidAll(&options, "gmsaCredentialSpecName", name, validation.IsDNS1123Subdomain(*name))
	}
	if spec := o.GMSACredentialSpec; spec != nil {
		if *spec == "" {
			v.Invalid(&options, "gmsaCredentialSpec", spec, "gmsaCredentialSpec cannot be an empty string")
		} else if len(*spec) > longestCredentialSpec {
			v.Invalid(&options, "gmsaCredentialSpec", spec, "gmsaCredentialSpec size must be under 64 KiB")
		}
	}
	if o.RunAsUserName != nil {
		for _, msg := range windowsUserName(*o.RunAsUserName) {
			v.Invalid(&options, "runAsUserName", o.RunAsUserName, msg)
		}
	}
}

// windowsUserName says what is wrong with the name of a Windows account: "DOMAIN\user" or "user".
func windowsUserName(name string) (wrong []string) {
	parts := strings.Split(name, `\`)
	switch {
	case name == "":
		return []string{"runAsUserName cannot be an empty string"}
	case matches(`[[:cntrl:]]+`, name):
		return []string{"runAsUserName cannot contain control characters"}
	case len(parts) > 2:
		return []string{"runAsUserName cannot contain more than one backslash"}
	}
	user := parts[len(parts)-1]
	if len(parts) == 2 {
		domain := parts[0]
		if len(domain) >= longestUserDomain {
			wrong = append(wrong, "runAsUserName's Domain length must be under 256 characters")
		}
		const label = `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
		if !matches(`^[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}$`, domain) && !matches(`^`+label+`(?:\.`+label+`)*$`, domain) {
			wrong = append(wrong, "runAsUserName's Domain doesn't match the NetBios nor the DNS format")
		}
	}
	if user == "" {
		wrong = append(wrong, "runAsUserName's User cannot be empty")
	} else if len(user) > longestUserName {
		wrong = append(wrong, "runAsUserName's User length must not be longer than 104 characters")
	}
	if user != "" && strings.Trim(user, ". ") == "" {
		wrong = append(wrong, "runAsUserName's User cannot contain only periods or spaces")
	}
	if strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`) {
		wrong = append(wrong, `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`)
	}
	return wrong
}

func matches(pattern, s string) bool {
	ok, _ := regexp.MatchString(pattern, s)
	return ok
}
